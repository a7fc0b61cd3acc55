// UTF-8 for environments without TextEncoder and TextDecoder, such as Jest with jsdom and audio worklets; it is slow.

const LONE_SURROGATE = /[\ud800-\udfff]/gu

class Encoder {
  encode(text) {
    const parts = encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd')).match(/%..|[^%]/g) ?? []
    return Uint8Array.from(parts, (part) => (part.length === 1 ? part.charCodeAt(0) : parseInt(part.slice(1), 16)))
  }

  // Writes the whole text, or nothing if the buffer is too small.
  encodeInto(text, room) {
    const bytes = this.encode(text)
    if (bytes.length > room.length) return { read: 0, written: 0 }
    room.set(bytes)
    return { read: text.length, written: bytes.length }
  }
}

class Decoder {
  decode(bytes = []) {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  }
}

export const TextEncoder = globalThis.TextEncoder ?? Encoder
export const TextDecoder = globalThis.TextDecoder ?? Decoder
