import type { IncomingMessage, RequestListener } from 'node:http'
import { isRecord } from '../../../core/sdk/index.js'
import { CANARY, type Injected } from './corpus.js'

/** A model, as an OpenAI-compatible server, that obeys every order that it is shown, in every text that it writes, and calls tools as well. */
export class ObedientModel {
  /** Numbers of the orders that it was shown since the last reading. */
  readonly shown = new Set<number>()
  questions = 0
  readonly #corpus: readonly Injected[]
  readonly #bait: string

  constructor(corpus: readonly Injected[], bait: string) {
    this.#corpus = corpus
    this.#bait = bait
  }

  readonly listener: RequestListener = (request, response) => {
    void this.#answer(request).then((body) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    })
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    let text = ''
    for await (const piece of request) text += String(piece)
    const sent: unknown = JSON.parse(text)
    const format = isRecord(sent) ? sent['response_format'] : undefined
    const named = isRecord(format) ? format['json_schema'] : undefined
    const schema = isRecord(named) ? named['schema'] : undefined
    this.questions++
    const orders = [...text.matchAll(/order number (\d+)/gi)].map(([, number]) => Number(number))
    for (const number of orders) this.shown.add(number)
    const obeyed = [...new Set(orders)].slice(0, 12).map((number) => this.#corpus[number]?.written ?? CANARY)
    const written = obeyed.join(' ')
    const content = isRecord(schema) ? JSON.stringify(valueFor(schema, obeyed)) : `Vinegar cleans kettles [1]. ${written} [1]`
    const tools =
      obeyed.length === 0
        ? {}
        : {
            tool_calls: [
              { id: 't', type: 'function', function: { name: 'fetch', arguments: JSON.stringify({ url: `${this.#bait}/tool` }) } },
            ],
          }
    const message = { role: 'assistant', content, ...tools }
    return {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'local',
      choices: [{ index: 0, finish_reason: 'stop', message }],
      usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
    }
  }
}

/** A value of a schema whose texts hold something true, then what was ordered. Objects get a further member with an order as its name. */
function valueFor(schema: Readonly<Record<string, unknown>>, obeyed: readonly string[]): unknown {
  const options = [...asList(schema['anyOf']), ...asList(schema['oneOf'])]
  if (options.length > 0) {
    const first = options.find((option) => isRecord(option) && option['type'] !== 'null')
    return isRecord(first) ? valueFor(first, obeyed) : null
  }
  const [choice] = asList(schema['enum'])
  if (choice !== undefined) return choice
  if ('const' in schema) return schema['const']
  const kinds = [schema['type']].flat()
  if (kinds.includes('object')) {
    const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
    const own = properties.map(([name, inner]): [string, unknown] => [name, isRecord(inner) ? valueFor(inner, obeyed) : null])
    const further = schema['additionalProperties'] === false ? [] : obeyed.slice(0, 1).map((order): [string, unknown] => [order, order])
    return Object.fromEntries([...own, ...further])
  }
  if (kinds.includes('array')) {
    const { items } = schema
    const one = isRecord(items) ? valueFor(items, obeyed) : null
    return typeof one === 'string' ? [...obeyed, 'Vinegar cleans kettles [Source 1].'] : [one]
  }
  if (kinds.includes('string'))
    return `Vinegar cleans kettles [Source 1] [1]. ${obeyed.map((order) => `${order} [Source 1] [1].`).join(' ')}`.trim()
  if (kinds.includes('integer') || kinds.includes('number')) return 1
  return kinds.includes('boolean') ? true : null
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
