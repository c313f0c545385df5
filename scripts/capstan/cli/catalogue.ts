import { nearest } from '../../../core/sdk/nearest.js'
import { isRecord } from '../../../core/sdk/json.js'
import { Failure, UsageError } from './failure.js'
import type { GatewayClient } from './gateway-client.js'
import { fieldOf, textOf, type Fields } from './record.js'
import { refusal } from './refusal.js'

/** A capability as `GET /v1/tools?format=raw` lists it. */
export interface ListedCapability {
  readonly id: string
  readonly path: string
  readonly title: string
  readonly description: string
  /** Credits by the rows of its price table. */
  readonly price: Fields
  /** JSON Schemas by parameter. */
  readonly parameters: Fields
  readonly required: readonly string[]
  /** JSON Schemas by field of the result. */
  readonly results: Fields
  /** Parameters that name the format of a file, by the parameter with its address. */
  readonly formatOf: Fields
  /** Parameters of examples. */
  readonly examples: readonly Fields[]
  readonly live: boolean
  /** Why it is not live. */
  readonly reason: string | null
  /** Which part of it is live. */
  readonly limits: string | null
}

/** The capabilities of a gateway, by `GET /v1/tools?format=raw`. Throws a Failure where the address is none of a gateway. */
export async function listedCapabilities(client: GatewayClient, base: string, signal?: AbortSignal): Promise<ListedCapability[]> {
  const request = { method: 'GET', path: '/v1/tools?format=raw', idleMs: 30_000 } as const
  const { status, body } = await client.call(signal === undefined ? request : { ...request, signal })
  if (status === 404) throw new Failure(`there is no gateway at ${base}: CAPSTAN_URL is its address without a path such as /v1`, body)
  if (status !== 200) throw refusal(body, status)
  return capabilitiesOf(body)
}

/** The capabilities of a raw tools answer; invalid entries are skipped. */
export function capabilitiesOf(body: unknown): ListedCapability[] {
  return recordsOf(fieldOf(body, 'capabilities')).flatMap((each) => {
    const [id, path] = [textOf(each, 'id'), textOf(each, 'path')]
    const input = fieldOf(each, 'input')
    if (id === null || path === null) return []
    return [
      {
        ...{ id, path, title: textOf(each, 'title') ?? id, description: textOf(each, 'description') ?? '' },
        ...{ price: fieldsOf(fieldOf(each, 'price')), parameters: fieldsOf(fieldOf(input, 'properties')) },
        ...{ required: textsOf(fieldOf(input, 'required')), results: fieldsOf(fieldOf(fieldOf(each, 'output'), 'properties')) },
        formatOf: fieldsOf(fieldOf(each, 'format_of')),
        examples: recordsOf(fieldOf(each, 'examples')).map((example) => fieldsOf(fieldOf(example, 'params'))),
        ...{ live: fieldOf(each, 'live') === true, reason: textOf(each, 'reason'), limits: textOf(each, 'limits') },
      },
    ]
  })
}

/** The providers of a capability that are live, by its ports, as `GET /v1/capabilities` lists them. */
export function liveProvidersOf(body: unknown, id: string): { readonly port: string; readonly providers: readonly string[] }[] {
  const found = recordsOf(fieldOf(body, 'capabilities')).find((each) => each['id'] === id)
  return recordsOf(fieldOf(found, 'ports')).map((port) => ({
    port: textOf(port, 'id') ?? '',
    providers: recordsOf(port['providers']).flatMap((each) => (each['state'] === 'live' ? (textOf(each, 'id') ?? []) : [])),
  }))
}

/** The capability that a word names: its id, or with `_`, `-` or `/` for the dot. Throws a UsageError with the nearest id. */
export function findCapability(list: readonly ListedCapability[], word: string): ListedCapability {
  const same = (text: string): string => text.toLowerCase().replace(/[_\-/]/g, '.')
  const found = list.find(({ id, path }) => same(id) === same(word) || path === word)
  if (found !== undefined) return found
  const ids = list.map(({ id }) => id)
  const near = nearest(word, ids)
  throw new UsageError(`there is no capability ${word}; ${near === null ? `there are ${ids.join(', ')}` : `did you mean ${near}?`}`)
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

function recordsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
