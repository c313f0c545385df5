import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startGateway, type GatewayOptions, type Reply, type TestGateway } from './gateway.js'

/** A message that a vendor has received. */
export interface Received {
  readonly vendor: string
  readonly to: string
  readonly from: string
  readonly text: string
}

/** How a vendor ends a request: a status with JSON, an answer as its own, or a connection that breaks, or falls silent, before or within it. */
export type Ending =
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'takes'
  | 'cut-before'
  | 'cut-within'
  | 'stops-within'
  | 'hangs'

const SENDER = '+15005550102'
/** Settings with which every vendor of messages is played by the server of the world. */
const CREDENTIALS = {
  TWILIO_ACCOUNT_SID: 'AC11aa11aa11aa11aa11aa11aa11aa11aa',
  TWILIO_AUTH_TOKEN: 'token-of-the-test',
  CAPSTAN_TWILIO_SENDERS: SENDER,
  CAPSTAN_TWILIO_WHATSAPP_SENDERS: SENDER,
  TELNYX_API_KEY: 'key-of-the-test',
  CAPSTAN_TELNYX_SENDERS: SENDER,
  WHATSAPP_CLOUD_ACCESS_TOKEN: 'token-of-the-test',
  CAPSTAN_WHATSAPP_CLOUD_PHONE_NUMBER_ID: '106540352242922',
  CAPSTAN_WHATSAPP_CLOUD_DISPLAY_NUMBER: SENDER,
}

/** Numbers of Germany that are in use by no two tests. */
export function german(n: number): string {
  return `+49171${String(1_000_000 + n)}`
}

/** Plays Twilio, Telnyx and WhatsApp Cloud over HTTP, and keeps every message that reached them. */
export class MessageVendors {
  readonly received: Received[] = []
  /** How the next requests end; by default the message is taken. */
  answer: (received: Received) => Ending = () => 'takes'
  /** Called when as much of an answer is written as will be. */
  onAnswered: (received: Received) => void = () => undefined
  readonly #server: Server
  #count = 0

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<MessageVendors> {
    const server = createServer((request, response) => void world.#serve(request, response))
    const world = new MessageVendors(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return world
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`
  }

  /** The variables with which a gateway has these vendors; Germany alone is allowed. */
  env(): Record<string, string> {
    const urls = ['TWILIO', 'TELNYX', 'WHATSAPP_CLOUD'].map((name) => [
      `CAPSTAN_VENDOR_${name}_URL`,
      `${this.url}/${name.toLowerCase().replace('_', '-')}`,
    ])
    return {
      ...CREDENTIALS,
      ...(Object.fromEntries(urls) as Record<string, string>),
      CAPSTAN_ALLOW_PRIVATE: this.url.replace('http://', ''),
      CAPSTAN_MESSAGES_COUNTRIES: 'DE',
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    const received = read(request.url ?? '', body)
    this.received.push(received)
    const ending = this.answer(received)
    if (ending === 'hangs') return
    if (ending === 'cut-before') {
      request.socket.destroy()
      return
    }
    const answered = (): void => this.onAnswered(received)
    if (typeof ending !== 'string') {
      const head = { 'content-type': 'application/json', ...ending.headers }
      response.writeHead(ending.status, head).end(JSON.stringify(ending.json), answered)
      return
    }
    const text = JSON.stringify(taken(received, ++this.#count))
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) })
    if (ending === 'takes') response.end(text, answered)
    else
      response.write(text.slice(0, text.length / 2), () => {
        if (ending === 'cut-within') request.socket.destroy()
        answered()
      })
  }
}

function read(url: string, body: string): Received {
  const [, vendor = ''] = url.split('/')
  if (vendor === 'twilio') {
    const form = new URLSearchParams(body)
    return { vendor, to: form.get('To') ?? '', from: form.get('From') ?? '', text: form.get('Body') ?? '' }
  }
  const json = JSON.parse(body) as { to: string; from?: string; text: string | { body: string } }
  return { vendor, to: json.to, from: json.from ?? '', text: typeof json.text === 'string' ? json.text : json.text.body }
}

/** What each vendor answers to a message that it takes. */
function taken({ vendor, to, from }: Received, count: number): unknown {
  if (vendor === 'twilio') return { sid: `SM${String(count)}`, to, from, status: 'queued' }
  if (vendor === 'telnyx')
    return {
      data: { id: `telnyx-${String(count)}`, to: [{ phone_number: to, status: 'queued' }], from: { phone_number: from }, errors: [] },
    }
  return { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id: to }], messages: [{ id: `wamid.${String(count)}` }] }
}

/** A gateway with the bundled plugins and the vendors of messages behind it. */
export class MessageWorld {
  readonly vendors: MessageVendors
  readonly gateway: TestGateway

  private constructor(vendors: MessageVendors, gateway: TestGateway) {
    this.vendors = vendors
    this.gateway = gateway
  }

  static async start({ env = {}, ...options }: GatewayOptions = {}): Promise<MessageWorld> {
    const vendors = await MessageVendors.start()
    try {
      const gateway = await startGateway({ bundled: true, env: { ...vendors.env(), ...env }, ...options })
      return new MessageWorld(vendors, gateway)
    } catch (error) {
      await vendors.close()
      throw error
    }
  }

  /** Sends a message; by default a text to a number of Germany. */
  async send(body: Readonly<Record<string, unknown>> = {}, options: { key?: string; idempotency?: string } = {}): Promise<Reply> {
    return await this.gateway.send('/v1/messages/send', {
      method: 'POST',
      body: { to: german(1), message: 'Your table is free.', ...body },
      headers: options.idempotency === undefined ? {} : { 'idempotency-key': options.idempotency },
      ...(options.key === undefined ? {} : { key: options.key }),
    })
  }

  async close(): Promise<void> {
    await this.gateway.close()
    await this.vendors.close()
  }
}
