import { Cancel } from '../runtime/cancel.js'
import type { LoadedCapability, LoadedList } from '../loader/types.js'
import {
  type CallerNames,
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
import type { UnpaidUse } from '../limits/unpaid.js'
import { settledOrStopped } from '../problems/errors.js'
import { CallState } from './call.js'
import { liveProvider } from './port-request.js'

/** Time limits of reading a list, and of a port outside a paid call, in milliseconds. */
const LONGEST_MS = 5_000
const LONGEST_PORT_MS = 30_000

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

interface FreeRequest extends Pick<CallState, 'requestId' | 'account' | 'key'> {
  readonly portId: string
  readonly given: unknown
  readonly caller: () => CallerNames
  readonly unpaid: Pick<UnpaidUse, 'count'>
}

/** The answer of a port outside a paid call. Faults as in a call; throws Stopped after 30 seconds. */
export async function answerFree(environment: Environment, request: FreeRequest): Promise<unknown> {
  const { clock, ports, log } = environment
  const cancel = new Cancel(clock, clock.monotonic() + LONGEST_PORT_MS, request.account)
  const stop = clock.after(LONGEST_PORT_MS, () => cancel.cancel('deadline'))
  const call = new CallState({ ...request, cancel })
  call.vendorUse.unpaid((use) => request.unpaid.count(request.account, use))
  try {
    return (await settledOrStopped(ports.invoke({ ...request, call, cancel, depth: 0 }), cancel)).data
  } finally {
    stop()
    cancel.cancel('over')
    call.end(log)
  }
}
