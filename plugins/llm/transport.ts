import { assertBuildable, Fault, foreignJson, type Call, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { MODEL_FILE_LIMITS } from './contract.js'
import { base64Length, writeBase64 } from './files.js'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Largest answer of a model server in bytes. */
const MAX_BYTES = 4 * 1024 * 1024
/** Characters of a request that are handed over as a value. */
const LONG = 64 * 1024

/** How a model library reaches its vendor, and the Fault of its last request, which libraries wrap in errors of their own. */
export interface Transport {
  readonly fetch: Fetch
  fault(): Fault | null
  /** A request was sent, and no reply to it came. */
  unanswered(): boolean
}

/** Files of the call, by the word that stands for their Base64 in what the library sends. */
type PlacedFiles = ReadonlyMap<string, ScratchFile>

/**
 * A `fetch` for model libraries that goes through the provider's `api`: address, signing, limits, stop and redaction are the core's. Headers of
 * the library are dropped, so its placeholder for a key never leaves; only the names of beta features pass. Files are put into the request where
 * their words are, so that the library does not copy them.
 */
export function transport(ctx: ProviderContext, files: PlacedFiles = new Map()): Transport {
  const state: { fault: Fault | null; unanswered: boolean } = { fault: null, unanswered: false }
  const fetch: Fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(`${ctx.baseUrl}/`)) throw new Fault('broken', 'The model library asked a foreign address.')
    const beta = new Headers(init?.headers).get('anthropic-beta')
    try {
      const body = await bodyOf(textOf(init?.body), files, ctx)
      state.unanswered = true
      const page = await ctx.api.bytes({
        method: 'POST',
        path: address.slice(ctx.baseUrl.length),
        ...body,
        maxBytes: MAX_BYTES,
        ...(beta === null ? {} : { headers: { 'anthropic-beta': beta } }),
      })
      state.unanswered = false
      assertReadable(page.bytes)
      return new Response(Buffer.from(page.bytes), { status: page.status, headers: { 'content-type': 'application/json' } })
    } catch (error) {
      if (Fault.is(error)) state.fault = error
      throw error
    }
  }
  return { fetch, fault: () => state.fault, unanswered: () => state.unanswered }
}

/** Throws a `broken` Fault for a reply that would hold up the event loop when the library parses it. */
function assertReadable(reply: Uint8Array): void {
  try {
    assertBuildable(reply)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Fault('broken', 'The model server replied in a form that was not understood.', { internal: error.message, cause: error })
  }
}

/** A short body as JSON; a long one, and one with files, as it is, since reading and writing it again would hold up the event loop. */
async function bodyOf(text: string, files: PlacedFiles, ctx: ProviderContext): Promise<Pick<Call, 'json' | 'bytes'>> {
  if (files.size === 0 && text.length <= LONG) return { json: foreignJson(text) }
  return { bytes: { data: await filled(text, files, ctx), contentType: 'application/json' } }
}

function textOf(body: RequestInit['body']): string {
  if (typeof body !== 'string') throw new Fault('broken', 'The model library sent a body that is not JSON.')
  return body
}

/** The JSON of a request with files where their words are, in memory that is taken once. */
async function filled(text: string, files: PlacedFiles, ctx: ProviderContext): Promise<Buffer> {
  const together = [...files.values()].reduce((sum, { size }) => sum + size, 0)
  if (together > MODEL_FILE_LIMITS.together)
    throw new Fault('invalid', `A model is shown at most ${MODEL_FILE_LIMITS.together} bytes of pictures and documents together.`)
  const pieces: (Buffer | ScratchFile)[] = []
  let rest = text
  for (const [word, file] of files) {
    const at = rest.indexOf(word)
    if (at === -1) throw new Fault('broken', 'The model library left a file out.')
    pieces.push(Buffer.from(rest.slice(0, at)), file)
    rest = rest.slice(at + word.length)
  }
  pieces.push(Buffer.from(rest))
  const data = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + lengthOf(piece), 0))
  let at = 0
  for (const piece of pieces) {
    const end = at + lengthOf(piece)
    if (Buffer.isBuffer(piece)) piece.copy(data, at)
    else await writeBase64(piece, ctx, data.subarray(at, end))
    at = end
  }
  return data
}

function lengthOf(piece: Buffer | ScratchFile): number {
  return Buffer.isBuffer(piece) ? piece.length : base64Length(piece.size)
}
