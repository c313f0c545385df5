import { Agent, request } from 'undici'

/** One request of a load. */
export interface LoadRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Nothing that is measured takes as long. */
const TIMEOUT_MS = 30_000

/** Posts to one server over kept connections; a request beyond `connections` waits for one. */
export class Sender {
  readonly #url: string
  readonly #agent: Agent

  constructor(url: string, connections: number) {
    this.#url = url
    this.#agent = new Agent({ connections, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
  }

  /** The status of an answer that came whole; 0 when none did. */
  async post({ path, headers, body }: LoadRequest): Promise<number> {
    try {
      const answer = await request(this.#url + path, { method: 'POST', headers: { ...headers }, body, dispatcher: this.#agent })
      await answer.body.arrayBuffer()
      return answer.statusCode
    } catch {
      return 0
    }
  }

  async close(): Promise<void> {
    await this.#agent.close()
  }
}

/** A paid call of the capability that calls the upstream of a measurement. */
export function paidCall(key: string): LoadRequest {
  return {
    path: '/v1/bench/echo',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ prompt: 'hello' }),
  }
}
