import { createParser } from 'eventsource-parser'
import { request, type IncomingMessage, type Server } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import type { Progress } from '../../../core/dispatch/call.js'
import { isRecord } from '../../../core/sdk/json.js'
import { memoryConnection } from './memory-socket.js'

export interface InnerCall {
  readonly path: string
  readonly input: unknown
  readonly headers: Readonly<Record<string, string>>
  /** The address of the client that made the call. */
  readonly address: string
  readonly signal: AbortSignal
  /** Requests events; called with each progress. */
  readonly onProgress: ((progress: Progress) => void) | null
}

/**
 * Sends a call through the gateway's own HTTP handling, over a connection within the process, so that key, limits, money and idempotency
 * are those of any call. Resolves with the envelope. An aborted signal closes the connection, which ends the call as a client does that
 * disconnects. Rejects when the connection ends without an answer.
 */
export function innerCall(server: Server, call: InnerCall): Promise<unknown> {
  const { path, input, headers, address, signal, onProgress } = call
  return new Promise((resolve, reject) => {
    const { client, server: accepted } = memoryConnection(address)
    server.emit('connection', accepted)
    const body = Buffer.from(JSON.stringify(input))
    const outgoing = request({
      ...{ method: 'POST', path, signal },
      createConnection: () => client,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Host: 'localhost',
        Connection: 'close',
        ...(onProgress === null ? {} : { Accept: 'text/event-stream' }),
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      read(response, onProgress).then(resolve, reject)
    })
    outgoing.end(body)
  })
}

async function read(response: IncomingMessage, onProgress: InnerCall['onProgress']): Promise<unknown> {
  if (response.headers['content-type']?.startsWith('text/event-stream') !== true) {
    const chunks: Buffer[] = []
    for await (const chunk of response) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  }
  let result: unknown
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const value: unknown = JSON.parse(data)
      if (event === 'result') result = value
      else if (event === 'progress' && isProgress(value)) onProgress?.(value)
    },
  })
  const decoder = new StringDecoder('utf8')
  for await (const chunk of response) if (Buffer.isBuffer(chunk)) parser.feed(decoder.write(chunk))
  if (result === undefined) throw new Error('the events ended without a result')
  return result
}

function isProgress(value: unknown): value is Progress {
  return isRecord(value) && typeof value.step === 'string'
}
