import { succeeded } from '../../calls/envelope.js'
import { envelopeOf } from '../discovery/openapi-parts.js'
import { authorise } from '../../accounts/caller.js'
import { Type } from '../../sdk/index.js'
import type { HttpContext } from '../exchange.js'
import { none, route, type Answer, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { UPLOAD_PATH } from '../server.js'
import { receiveFile } from '../upload/receive.js'

const SCOPE = 'files.upload'

const uploaded = Type.Object({
  file_url: Type.String({
    format: 'uri',
    description: 'A link that needs no key, for `url` and `*_url` of capabilities that fetch the address themselves.',
  }),
  file_name: Type.String(),
  file_size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  content_type: Type.String({ description: 'Detected from the bytes, not as declared.' }),
  expires_at: Type.String({ format: 'date-time' }),
})

/** Uploads: POST /v1/files. */
export function fileRoutes(services: HttpServices): Route[] {
  return [
    route(services.compiler, {
      method: 'POST',
      path: UPLOAD_PATH,
      id: 'uploadFile',
      summary: 'Upload a file',
      description:
        'Stores a file for a limited time and returns a link to it, for capabilities that fetch an address. Free; it counts against the quota of the account (`artifacts_quota`). Keys with scopes need "files.upload".',
      access: 'key',
      params: none,
      query: none,
      body: none,
      form: Type.Object(
        { file: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' }) },
        { additionalProperties: false },
      ),
      response: Type.Unsafe<unknown>(envelopeOf(uploaded)),
      problems: ['too-many-in-flight'],
      handle: async ({ ctx }) => await upload(services, ctx),
    }),
  ]
}

async function upload({ uploads, clock }: HttpServices, ctx: HttpContext): Promise<Answer> {
  const { exchange } = ctx.state
  const { caller, address, requestId, started, balance } = exchange
  if (caller === null) throw new TypeError('a file was uploaded without a key')
  authorise(caller, SCOPE, address)
  const { cancel, leave } = uploads.enter(caller.account.id)
  try {
    const { mostBytes } = uploads
    const file = await receiveFile(ctx, { clock, cancel, mostBytes }, (arriving) => uploads.keep(arriving, cancel))
    if (ctx.res.closed || ctx.res.destroyed) await uploads.discard(file)
    const ms = Math.max(0, Math.round(clock.monotonic() - started))
    const account = { requestId, ms, attempts: [], notes: [], providerUsed: null, modeUsed: null, balance }
    return { json: succeeded(file.data, 0, account) }
  } finally {
    leave()
  }
}
