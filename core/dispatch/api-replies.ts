import { mediaType } from '../outbound/page.js'
import type { Api } from '../outbound/types.js'
import type { Call, Page, ProviderContext, Static, TSchema, VendorFiles } from '../sdk/index.js'

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
