import type { Scratch, ScratchFile } from '../../core/sdk/index.js'

/** Stands in the JSON where the file will. */
const PLACE = 'f1d0a5e2-the-file'
/** Base64 has four letters for three bytes. */
const GROUP = 3

/**
 * JSON for vendors that take a file inside it, as a file of the call: `of` gets the text that stands for the file in Base64 and answers the value. Neither
 * the file nor its Base64 is ever whole in memory. Faults as `scratch.write`.
 */
export async function jsonWithFile(
  file: ScratchFile,
  scratch: Pick<Scratch, 'read' | 'write'>,
  of: (content: string) => unknown,
): Promise<ScratchFile> {
  const [before = '', after = ''] = JSON.stringify(of(PLACE)).split(PLACE)
  return await scratch.write(pieces(before, scratch.read(file), after))
}

async function* pieces(before: string, bytes: AsyncIterable<Uint8Array>, after: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before)
  let rest = Buffer.alloc(0)
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece])
    const whole = all.length - (all.length % GROUP)
    yield Buffer.from(all.toString('base64', 0, whole))
    rest = all.subarray(whole)
  }
  yield Buffer.from(rest.toString('base64') + after)
}
