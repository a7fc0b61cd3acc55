// UTF-8 also where these classes are missing, as in Jest with jsdom and in audio worklets: there it is slow.

const LONE_SURROGATE = /[\ud800-\udfff]/gu

class Encoder {
  encode(text) {
    const parts = encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd')).match(/%..|[^%]/g) ?? []
    return Uint8Array.from(parts, (part) => (part.length === 1 ? part.charCodeAt(0) : parseInt(part.slice(1), 16)))
  }

  // All of the text or, if the room is too short, none of it.
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
