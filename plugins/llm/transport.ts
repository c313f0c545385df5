import { assertBuildable, Fault, foreignJson, type Call, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { MODEL_FILE_LIMITS } from './contract.js'
import { base64Length, writeBase64 } from './files.js'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Largest answer of a model server in bytes. */
const MAX_BYTES = 4 * 1024 * 1024
/** Characters of a request that are passed as a value. */
const LONG = 64 * 1024

/** A model library's connection to its vendor, and the Fault of its last request, which libraries wrap in their own errors. */
export interface Transport {
  readonly fetch: Fetch
  fault(): Fault | null
  /** A request was sent without receiving a reply. */
  unanswered(): boolean
}

/** Files of the call, by the placeholder of their Base64 in the library's request. */
type PlacedFiles = ReadonlyMap<string, ScratchFile>

/**
 * A `fetch` for model libraries that uses the provider's `api`: address, signing, limits, cancellation and redaction
 * are the core's. Headers of the library are dropped, so its placeholder key is never sent; only names of beta
 * features pass. Files replace their placeholders in the request, so that the library does not copy them.
 */
export function transport(ctx: ProviderContext, files: PlacedFiles = new Map()): Transport {
  const state: { fault: Fault | null; unanswered: boolean } = { fault: null, unanswered: false }
  const fetch: Fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(`${ctx.baseUrl}/`)) throw new Fault('broken', 'The model library requested a foreign address.')
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

/** Throws a `broken` Fault for a reply that would block the event loop when the library parses it. */
function assertReadable(reply: Uint8Array): void {
  try {
    assertBuildable(reply)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Fault('broken', 'The model server replied in a form that was not understood.', { internal: error.message, cause: error })
  }
}

/** A short body as JSON; a long one, and one with files, unparsed, since parsing and serialising it again would block the event loop. */
async function bodyOf(text: string, files: PlacedFiles, ctx: ProviderContext): Promise<Pick<Call, 'json' | 'bytes'>> {
  if (files.size === 0 && text.length <= LONG) return { json: foreignJson(text) }
  return { bytes: { data: await filled(text, files, ctx), contentType: 'application/json' } }
}

function textOf(body: RequestInit['body']): string {
  if (typeof body !== 'string') throw new Fault('broken', 'The model library sent a body that is not JSON.')
  return body
}

/** The JSON of a request with files in place of their placeholders, in a single allocation. */
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
