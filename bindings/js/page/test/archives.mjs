// Archives of many kinds, made of the files of this repository: what the page and the program are compared on.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path) => readFileSync(join(root, path))

// A tar archive in the format ustar.
function tar(members) {
  const block = (bytes) => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
  const parts = members.map(([name, bytes]) => {
    const header = Buffer.alloc(512)
    const field = (offset, text) => header.write(text, offset, 'latin1')
    field(0, name)
    field(100, '0000644\0')
    field(124, `${bytes.length.toString(8).padStart(11, '0')}\0`)
    field(136, '00000000000\0')
    field(148, '        0ustar\0' + '00')
    const sum = header.reduce((sum, byte) => sum + byte, 0)
    field(148, `${sum.toString(8).padStart(6, '0')}\0 `)
    return Buffer.concat([header, block(bytes)])
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

function crc32(bytes) {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

// A zip archive without the directory at its end, which the program does not need.
function zip(members) {
  return Buffer.concat(members.map(([name, bytes]) => {
    const data = deflateRawSync(bytes)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(20, 4)
    header.writeUInt16LE(8, 8)
    header.writeUInt32LE(crc32(bytes), 14)
    header.writeUInt32LE(data.length, 18)
    header.writeUInt32LE(bytes.length, 22)
    header.writeUInt16LE(name.length, 26)
    return Buffer.concat([header, Buffer.from(name), data])
  }).concat(Buffer.from('504b0506000000000000000000000000000000000000', 'hex')))
}

function warc() {
  const record = (type, uri, body) => {
    const head = `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Record-ID: <urn:uuid:${crc32(Buffer.from(uri))}>\r\nWARC-Date: 2022-03-07T10:00:00Z\r\nWARC-Target-URI: ${uri}\r\n`
      + `Content-Type: application/http; msgtype=response\r\nContent-Length: ${body.length}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n\r\n')])
  }
  const http = (fields, body) => Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${fields}\r\n`), body])
  const page = read('corpora/text/page.html')
  return Buffer.concat([
    record('response', 'http://h.org/dir/a.html', http('', page)),
    record('response', 'http://h.org/b', http('Content-Encoding: br\r\n', brotliCompressSync(page))),
    record('response', 'http://h.org/c', http('Location: /d?x=1\r\n', Buffer.from('<base href="http://i.org/x/"><a href="y z">&lt;http://h.org/\n e></a>'))),
  ])
}

const MAIL = `From: =?ISO-2022-JP?B?GyRCRnxLXBsoQg==?= <a@h.org>
Subject: =?UTF-8?Q?=3D1+1,_"the;caf=C3=A9"?=
Message-ID: <1@h.org>
Date: Mon, 7 Mar 2022 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain; charset=iso-8859-1; format=flowed
Content-Transfer-Encoding: quoted-printable

> see http://h.org/caf=E9 and <URL:http://h.org/a-=
b
c> http://h.org/x=FFy http://\u0016.org

--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

${Buffer.from('<a href="http://évil.net/">http://bank.com/</a> <img src="//h.org/p.gif"> <a href="mailto:a@h.org?subject=%0d%0a">x</a>\u202e').toString('base64')}
--b
Content-Type: text/x-c; name="=?UTF-8?Q?=E2=80=AEa.c?="

/* http://h.org:25/~me|"x" */
--b--
`

const DOCUMENT = `<?xml version="1.0" encoding="UTF-8"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>see http://h.org/in-</w:t></w:r>
<w:r><w:t>a-document</w:t></w:r></w:p></w:body></w:document>
`

/// Writes the archives into `folder`, and returns their names.
export function writeArchives(folder) {
  const letters = read('examples/mail/letters.mbox')
  const list = read('corpora/mail/list.mbox')
  const latin1 = read('corpora/text/latin1.txt')
  const mail = Buffer.from(MAIL)
  const files = {
    'list.mbox': list,
    'letters.mbox.gz': gzipSync(letters),
    'article': read('examples/mail/news/1204'),
    'page.html': read('corpora/text/page.html'),
    'mail.eml': mail,
    'latin1.txt': latin1,
    'wide.txt': read('corpora/text/wide.txt'),
    'some.tar': tar([['mail/list.mbox', list], ['a.txt.gz', gzipSync(latin1)], ['1/mail', mail]]),
    'some.zip': zip([['letters.mbox', letters], ['inner.tar', tar([['mail', mail]])], ['page.html', read('corpora/text/page.html')]]),
    'pages.warc': warc(),
    // Longer than what is read at once, before and after it is decompressed.
    'long.txt': Buffer.concat(Array.from({ length: 36000 }, (_, i) => Buffer.from(`line ${i} <http://h.org/${i}-\n${i % 7}>, ü\n`))),
    'long.mbox.gz': gzipSync(Buffer.concat(Array.from({ length: 80 }, () => Buffer.concat([letters, list]))), { level: 1 }),
    'damaged.gz': gzipSync(letters).subarray(0, 500),
    'some.docx': zip([['word/document.xml', Buffer.from(DOCUMENT)]]),
    'paper.pdf': Buffer.from('%PDF-1.4\n1 0 obj << /S /URI /URI (http://h.org/a) >> endobj\n%%EOF\n'),
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  return Object.keys(files)
}
