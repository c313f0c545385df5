import contentDisposition from 'content-disposition'
import { isHtmlPage, type KindAnswer, type KindQuestion } from '../files/expected-kind.js'
import { safeName } from '../runtime/file-names.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import { mediaType, namedLength } from '../outbound/reply-body.js'
import { closeable } from '../outbound/streamed-reply.js'
import type { ApiStream } from '../outbound/types.js'
import { Fault, type Call, type ScratchFile, type VendorFile, type VendorFileOptions, type VendorFiles } from '../sdk/index.js'
import type { NamedAddresses } from './named-addresses.js'

/** Default limit of a file in bytes: a vendor's reply may be endless. */
const MOST_BYTES = 1024 * 1024 * 1024
/** First bytes of a file from which its kind is detected. */
const START_BYTES = 4_100
/** Content Too Large (RFC 9110 15.5.14). */
const TOO_LARGE = 413
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/

/** Module that detects a file's kind, for a worker thread. */
export const EXPECTED_KIND = new URL('../files/expected-kind.js', import.meta.url)

/** The sources of a vendor's files. */
interface VendorFileRoutes {
  /** The call's folder. Throws Stopped once the call has ended. */
  readonly folder: () => ScratchFolder
  readonly stream: (call: Call) => Promise<ApiStream>
  /** Addresses from the vendor's replies. */
  readonly named: NamedAddresses
  /** Detects the kind from a file's first bytes. */
  readonly kindOf: (question: KindQuestion) => Promise<KindAnswer>
  /** The port has external effects, so that a failure is ambiguous. */
  readonly once: boolean
}

/** A file that is being received. */
interface Arriving {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** The files service of adapters: files from a vendor, and to and from addresses in its replies. */
export function vendorFilesOf(routes: VendorFileRoutes): VendorFiles {
  const { stream, named } = routes
  const download = async (url: string, options: VendorFileOptions = {}): Promise<VendorFile> =>
    await receive(routes, options, await named.get(url, options.maxBytes ?? MOST_BYTES))
  return {
    file: async (call, options = {}) => {
      const reply = await stream({ ...call, maxBytes: options.maxBytes ?? MOST_BYTES })
      return 'elsewhere' in reply
        ? await download(reply.elsewhere, options)
        : await receive(routes, options, { ...reply, body: closeable(reply.body) })
    },
    download,
    upload: async (url, request) => await named.send(url, request),
  }
}

/** Streams a file to disk and detects its kind. Deletes it on failure. */
async function receive(routes: VendorFileRoutes, options: VendorFileOptions, { url, headers, body }: Arriving): Promise<VendorFile> {
  const start = new Start()
  const file = await write(routes, headers, { start, body })
  try {
    const contentType = await typeOf(routes, options, { file, start: start.bytes(), named: mediaType(headers['content-type']).contentType })
    return { file, contentType, name: nameOf(headers['content-disposition']), url }
  } catch (error) {
    await routes.folder().remove(file)
    throw error
  }
}

/**
 * Writes a file to the call's folder. Without room the Fault is `broken` when the vendor's file alone exceeds half of it;
 * otherwise the call's own files leave too little: `invalid`, as status 413.
 */
async function write(
  { folder, once }: VendorFileRoutes,
  headers: Arriving['headers'],
  { start, body }: { readonly start: Start; readonly body: AsyncIterable<Uint8Array> },
): Promise<ScratchFile> {
  const chunks = start.seen(body)
  try {
    const into = folder()
    const named = namedLength(headers, Number.MAX_SAFE_INTEGER)
    try {
      into.assertRoom(named)
      return await into.write({ [Symbol.asyncIterator]: () => chunks })
    } catch (error) {
      if (!Fault.is(error) || error.kind !== 'invalid') throw error
      const about = { internal: error.message, cause: error, ambiguous: once }
      throw Math.max(named, start.size) > into.limit / 2
        ? new Fault('broken', 'the vendor answered with a file that is too large', about)
        : new Fault('invalid', error.message, { ...about, status: TOO_LARGE })
    }
  } finally {
    await chunks.return?.()
  }
}

/** The media type of a file. Throws a `broken` Fault for a kind that was not requested. */
async function typeOf(
  { kindOf, once }: VendorFileRoutes,
  { kinds }: VendorFileOptions,
  { file, start, named }: { readonly file: ScratchFile; readonly start: Uint8Array; readonly named: string },
): Promise<string> {
  const broken = (message: string, internal: string): Fault => new Fault('broken', message, { internal, ambiguous: once })
  if (file.size === 0) throw broken('the vendor answered with an empty file', named)
  const page = HTML.test(named) || isHtmlPage(start)
  if (page && kinds?.some((each) => HTML.test(each)) !== true)
    throw broken('the vendor answered with a page in place of a file', `${String(file.size)} bytes`)
  if (kinds === undefined) return named
  const { fits, shown } = await kindOf({ start, kinds, named }).catch((error: unknown) => {
    throw Fault.is(error) && error.kind !== 'busy' ? broken('the vendor answered with a file that cannot be read', error.message) : error
  })
  if (!fits)
    throw broken('the vendor answered with a file of another kind', `${shown ?? 'unknown'} named ${named}, expected ${kinds.join(', ')}`)
  return named === '' || named === 'application/octet-stream' ? (shown ?? named) : named
}

/** The file name of a Content-Disposition header (RFC 6266), made safe; null without a readable one. */
function nameOf(header: string | undefined): string | null {
  if (header === undefined) return null
  try {
    const { filename } = contentDisposition.parse(header).parameters
    return filename === undefined || filename === '' ? null : safeName(filename)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Keeps the first bytes of a stream that is passed through. */
class Start {
  readonly #chunks: Uint8Array[] = []
  size = 0

  /** Passes the chunks through; `return` closes the stream, even before the first. */
  seen(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]()
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: async () => {
        const step = await chunks.next()
        if (step.done !== true) this.#keep(step.value)
        return step
      },
      return: async () => {
        await chunks.return?.()
        return { done: true, value: undefined }
      },
    }
  }

  #keep(chunk: Uint8Array): void {
    if (this.size < START_BYTES) this.#chunks.push(chunk.slice(0, START_BYTES - this.size))
    this.size += chunk.length
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
