import type { CacheOrder } from './cached/cache.js'
import { entryOf, fits, textOf, type CachedEntry } from './cached/entry.js'
import { Fault, answerOf, isDefinite, type Cache, type CacheOptions, type TSchema, type Validator } from '../sdk/index.js'
import { CallState } from './call.js'
import type { Environment } from './environment.js'
import type { PluginScope } from './port-request.js'

const LONGEST_KEY = 16_384
const LONGEST_S = 31 * 86_400

type LoadValue<C> = (context: C) => Promise<unknown>
/** Runs code of a plugin with a context of its own. */
type WithContext<C> = <T>(environment: Environment, scope: PluginScope, run: (context: C) => Promise<T>) => Promise<T>

/** The shared cache as one plugin uses it in one call. */
export function cacheOf<C>(environment: Environment, scope: PluginScope, plugin: string, withContext: WithContext<C>): Cache<C> {
  const { call, cancel } = scope
  return {
    get: async <S extends TSchema>(key: string | readonly (string | number)[], options: CacheOptions<S>, load: LoadValue<C>) => {
      const { shape: schema, seconds, staleSeconds = 0, missingSeconds = 0, per = 'all' } = options
      const [freshMs, staleMs, missingMs] = [toMs(seconds), toMs(staleSeconds), toMs(missingSeconds)]
      const id = environment.names.of('cache', plugin, per === 'account' ? call.account : '', keyText(key))
      if (call.loading.includes(id)) throw new TypeError('cache: the load of a value requests that value')
      const shape: Validator<TSchema> = environment.shapes.validator(schema)
      const entry = await entryFrom(environment, shape, {
        ...{ id, freshMs, staleMs, missingMs, cancel },
        fits: (found) => fits(found, shape, { missing: missingMs > 0 }),
        load: async (own) =>
          textOf(await runLoad(environment, { ...scope, cancel: own }, { id, shape, missing: missingMs > 0, withContext, load })),
      })
      if (entry.kind === 'missing') throw new Fault('missing', entry.message)
      for (const text of entry.vendors) {
        const [vendor = '', port = null] = text.split(' ')
        call.recordProvider(vendor, port)
      }
      return answerOf(entry.value)
    },
  }
}

/** The entry under a name. One whose shape is from before a reload of the plugin is loaded again. */
async function entryFrom({ cache }: Environment, shape: Validator<TSchema>, order: CacheOrder): Promise<CachedEntry> {
  const entry = entryOf(await cache.get(order), shape)
  if (entry !== null) return entry
  cache.forget(order.id)
  return entryOf(await cache.get(order), shape) ?? refuse(shape)
}

interface Loading<C> {
  readonly id: string
  readonly shape: Validator<TSchema>
  /** Whether a definite `missing` Fault is cached too. */
  readonly missing: boolean
  readonly withContext: WithContext<C>
  readonly load: LoadValue<C>
}

/** Runs a load with its own record, since it may outlive the call; the record is then merged into the call's. */
async function runLoad<C>(
  environment: Environment,
  scope: PluginScope,
  { id, shape, missing, withContext, load }: Loading<C>,
): Promise<CachedEntry> {
  const { call, cancel } = scope
  const { requestId, account, key } = call
  const own = new CallState({ requestId, account, key, caller: () => call.caller, cancel, above: call })
  own.loading = [...call.loading, id]
  const held = environment.begin()
  try {
    const value = await withContext(environment, { ...scope, call: own }, load)
    if (!shape.check(value)) refuse(shape)
    return { kind: 'value', value, vendors: own.contributions.map(({ vendor, port }) => (port === null ? vendor : `${vendor} ${port}`)) }
  } catch (error) {
    if (missing && Fault.is(error) && isDefinite(error)) return { kind: 'missing', message: error.message }
    throw error
  } finally {
    call.tries.takeOver(own.tries)
    for (const note of own.notes) call.note(note)
    call.costly ||= own.costly
    call.actedOnce ||= own.actedOnce
    own.end(environment.log)
    held.end()
  }
}

function refuse(shape: Validator<TSchema>): never {
  throw new TypeError(`cache: a value does not fit its shape: ${shape.explain()}`)
}

function toMs(seconds: number): number {
  if (!(seconds >= 0 && seconds <= LONGEST_S))
    throw new TypeError(`cache: ${String(seconds)} is not a number of seconds from 0 to ${LONGEST_S}`)
  return seconds * 1_000
}

function keyText(key: string | readonly (string | number)[]): string {
  const text = JSON.stringify(typeof key === 'string' ? [key] : key)
  if (text.length > LONGEST_KEY) throw new TypeError(`cache: a key is longer than ${LONGEST_KEY} characters`)
  return text
}
