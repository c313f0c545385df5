import { answerList } from '../dispatch/read-list.js'
import { authorise } from '../accounts/caller.js'
import { Fault } from '../sdk/index.js'
import { authenticateKey } from './authenticate.js'
import type { HttpContext, HttpMiddleware } from './exchange.js'
import { readQuery, validated, validationFailed } from './validation.js'
import { notAllowed } from './route.js'
import type { HttpServices } from './services.js'

/** Lists of capabilities: free, for keys that may call the capability, within the key's rate limit. */
export function lists(services: HttpServices): HttpMiddleware {
  return async (ctx, next) => {
    const { path } = services.registry().lists.get(ctx.path)?.list ?? {}
    if (path === undefined) return void (await next())
    ctx.state.exchange.route = path
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw notAllowed(['HEAD', 'GET'], ctx.method)
    await authenticateKey(services, ctx)
    const body = JSON.stringify(await answer(services, ctx))
    const { answerLimit } = services
    if (Buffer.byteLength(body) > answerLimit) throw new Error(`${path} would answer more than ${answerLimit} bytes (limits.answer)`)
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = body
  }
}

async function answer(services: HttpServices, ctx: HttpContext): Promise<unknown> {
  const { caller, address, requestId } = ctx.state.exchange
  // Keeps the plugin loaded until it has answered.
  const { environment, end } = services.environments.begin()
  try {
    const found = environment.registry().lists.get(ctx.path)
    if (found === undefined || caller === null) throw new Error('the list was removed during authentication')
    const { loaded, list } = found
    const query = validated(list.query, readQuery(list.query.schema, new URLSearchParams(ctx.querystring)), ['query'])
    authorise(caller, loaded.capability.id, address)
    return await answerList(environment, { loaded, list, query, requestId })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw validationFailed([{ loc: ['query', ...(error.loc ?? [])], msg: error.message, type: 'value_error' }])
  } finally {
    end()
  }
}
