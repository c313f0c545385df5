import { deliver, Faults, type ServerFault } from './faults.js'
import { lineServer, type LineServer } from './line-servers.js'

/** A WHOIS server and how to make it fail. `lines` are the queries that it received. */
export interface WhoisServer extends LineServer {
  fail(...faults: readonly ServerFault[]): void
  failAlways(fault: ServerFault | null): void
}

export interface WhoisServerOptions {
  /** Address to listen on, default `127.0.0.1`. */
  readonly host?: string
  /** The answer to every other query, default `No match`. */
  readonly otherwise?: string
}

/** Answers by query, or a function of the query. */
export type WhoisAnswers = Readonly<Record<string, string | Uint8Array>> | ((query: string) => string | Uint8Array)

/** A WHOIS server on loopback (RFC 3912): one query, its answer, the end of the connection. */
export async function whoisServer(
  answers: WhoisAnswers,
  { host, otherwise = 'No match\r\n' }: WhoisServerOptions = {},
): Promise<WhoisServer> {
  const faults = new Faults()
  const answer =
    typeof answers === 'function' ? answers : (query: string) => (Object.hasOwn(answers, query) ? answers[query] : undefined) ?? otherwise
  const server = await lineServer(
    (query, socket) => {
      const given = answer(query)
      deliver(socket, typeof given === 'string' ? Buffer.from(given) : given, faults.take())
      return undefined
    },
    { ...(host === undefined ? {} : { host }) },
  )
  return { ...server, fail: faults.fail, failAlways: faults.failAlways }
}
