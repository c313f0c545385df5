import { Fault, foreignJson, type ProviderContext } from '../../core/sdk/index.js'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Largest answer of a model server in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

/** How a model library reaches its vendor, and the Fault of its last request, which libraries wrap in errors of their own. */
export interface Transport {
  readonly fetch: Fetch
  fault(): Fault | null
}

/**
 * A `fetch` for model libraries that goes through the provider's `api`: address, signing, limits, stop and redaction are the core's. Headers of
 * the library are dropped, so its placeholder for a key never leaves; only the names of beta features pass.
 */
export function transport(ctx: ProviderContext): Transport {
  const state: { fault: Fault | null } = { fault: null }
  const fetch: Fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(`${ctx.baseUrl}/`)) throw new Fault('broken', 'The model library asked a foreign address.')
    const beta = new Headers(init?.headers).get('anthropic-beta')
    try {
      const page = await ctx.api.bytes({
        method: 'POST',
        path: address.slice(ctx.baseUrl.length),
        json: body(init?.body),
        maxBytes: MAX_BYTES,
        ...(beta === null ? {} : { headers: { 'anthropic-beta': beta } }),
      })
      return new Response(Buffer.from(page.bytes), { status: page.status, headers: { 'content-type': 'application/json' } })
    } catch (error) {
      if (Fault.is(error)) state.fault = error
      throw error
    }
  }
  return { fetch, fault: () => state.fault }
}

function body(text: RequestInit['body']): unknown {
  if (typeof text !== 'string') throw new Fault('broken', 'The model library sent a body that is not JSON.')
  return foreignJson(text)
}
