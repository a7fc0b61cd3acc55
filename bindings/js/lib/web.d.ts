export * from './index.js'

/**
 * Loads the .wasm file, from next to this module or from `source`. Nothing else works before.
 *
 * @throws Error if it cannot be loaded
 */
export function init(source?: string | URL | Response | BufferSource | WebAssembly.Module): Promise<void>
export default init
