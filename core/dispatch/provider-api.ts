import type { KindAnswer } from '../files/expected-kind.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import type { LoadedProvider } from '../loader/types.js'
import { mediaType } from '../outbound/reply-body.js'
import type { Api } from '../outbound/types.js'
import type { Cancel } from '../runtime/cancel.js'
import {
  answerOf,
  type Call,
  type Page,
  type ProviderContext,
  type ScratchFile,
  type Static,
  type TSchema,
  type VendorFiles,
} from '../sdk/index.js'
import type { TryUse } from './call.js'
import type { Environment } from './environment.js'
import { namedAddresses } from './named-addresses.js'
import { EXPECTED_KIND, vendorFilesOf } from './vendor-files.js'

/** A provider's requests to its vendor in one try; records replies in `tryUse`. `folder` holds the call's files. */
export function providerApi(
  { api, web, clock, workers, shapes }: Environment,
  { access, contribution }: LoadedProvider,
  { cancel, tryUse, folder }: { readonly cancel: Cancel; readonly tryUse: TryUse | undefined; readonly folder: () => ScratchFolder },
): ProviderContext['api'] {
  const once = contribution.of.once === true
  const files = { size: (file: ScratchFile) => folder().size(file), read: (file: ScratchFile) => folder().read(file) }
  const options = { once, files }
  const noted = <T>(reply: Promise<T>): Promise<T> =>
    reply.then((received) => {
      if (tryUse !== undefined) tryUse.replied = true
      return received
    })
  const vendorFiles = (): VendorFiles =>
    vendorFilesOf({
      folder,
      once,
      stream: (call) => noted(api.stream(access, call, cancel, options)),
      named: namedAddresses({ access, api, web, cancel, clock, files: () => files, once }),
      kindOf: async (question) => answerOf<KindAnswer>(await workers.run(EXPECTED_KIND, question, {}, cancel)),
    })
  return apiOf({
    request: (call) => noted(api.request(access, call, cancel, options)),
    read: (shape, body) => shapes.read(shape, body),
    files: vendorFiles,
  })
}

/** How requests to a vendor are sent and their replies checked. */
export interface ApiRoutes {
  readonly request: (call: Call) => ReturnType<Api['request']>
  /** Throws a `broken` Fault for a body of another shape. */
  readonly read: <S extends TSchema>(shape: S, body: unknown) => Static<S>
  /** Made on first use: few adapters request files. */
  readonly files: () => VendorFiles
}

/** A vendor's replies as its adapters read them. */
export function apiOf({ request, read, files }: ApiRoutes): ProviderContext['api'] {
  return {
    file: (call, options) => files().file(call, options),
    download: (url, options) => files().download(url, options),
    upload: (url, upload) => files().upload(url, upload),
    json: async (call, reply) => {
      const { body } = await request({ ...call, reads: call.reads ?? 'json' })
      return read(reply, body)
    },
    text: async (call) => {
      const { body } = await request({ ...call, reads: 'text' })
      return typeof body === 'string' ? body : ''
    },
    bytes: async (call): Promise<Page> => {
      const { url, status, headers, bytes } = await request({ ...call, reads: 'bytes' })
      return { url, status, headers, ...mediaType(headers['content-type']), bytes }
    },
  }
}
