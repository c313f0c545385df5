import { Cancel } from '../runtime/cancel.js'
import type { LoadedCapability, LoadedList } from '../loader/types.js'
import {
  readList,
  type LiveProvider,
  type ListContext,
  type Port,
  type Resource,
  type SettingValues,
  type TObject,
  type TSchema,
} from '../sdk/index.js'
import type { Environment } from './environment.js'
import { settledOrStopped } from '../problems/errors.js'
import { liveProvider } from './port-request.js'

/** Time limit of reading a list, in milliseconds. */
const LONGEST_MS = 5_000

interface ListRequest {
  readonly loaded: LoadedCapability
  readonly list: LoadedList
  /** Checked against the list's query schema. */
  readonly query: unknown
  readonly requestId: string
}

/** Reads a list and checks it against its response schema. Throws Stopped after five seconds. */
export async function answerList(environment: Environment, { loaded, list, query, requestId }: ListRequest): Promise<unknown> {
  const { clock, ports, resources, log } = environment
  const cancel = new Cancel(clock, clock.monotonic() + LONGEST_MS)
  const stop = clock.after(LONGEST_MS, () => cancel.cancel('deadline'))
  const context: ListContext<unknown, SettingValues> = {
    query,
    settings: loaded.settings,
    has: (port) => ports.live(port.id),
    providers: <I extends TObject, O extends TSchema>(port?: Port<I, O>): readonly LiveProvider<I>[] =>
      ports
        .offered(port?.id ?? loaded.capability.id)
        .filter(({ suspended }) => !suspended)
        .map(liveProvider<I>),
    use: <R>(resource: Resource<R>) => resources.use(resource, loaded.settings, loaded.handler ?? undefined),
    log: (message, fields) => log('plugin', message, { ...fields, request_id: requestId }),
    get signal() {
      return cancel.signal
    },
  }
  try {
    const answer = await settledOrStopped(readList(list.list, context), cancel)
    if (list.response.check(answer)) return answer
    throw new TypeError(`the list ${list.name} of ${loaded.capability.id} answered outside its schema: ${list.response.explain()}`)
  } finally {
    stop()
    cancel.cancel('over')
  }
}
