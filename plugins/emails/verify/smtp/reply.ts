import type { LineSocket } from '../../../../core/sdk/index.js'

/** A longer reply is invalid. */
const MOST_LINES = 100
/** The reason is at the start. */
const MOST_TEXT = 4_000
/** Addresses repeated in a reply: their words are not the server's. */
const ADDRESS = /<?(?<![^\s<>@():;,])[^\s<>@():;,]+@[^\s<>@():;,]{1,254}>?/g

/** A reply of a mail server (RFC 5321 4.2). */
export interface Reply {
  /** Three digits; 0 for an invalid reply. */
  readonly code: number
  /** Enhanced status code (RFC 3463) such as `5.1.1`; null when absent. */
  readonly enhanced: string | null
  /** All lines without codes and addresses, in lower case. */
  readonly text: string
}

/** The next reply; null when the server ended the connection instead. Throws the Faults of `readLine`. */
export async function readReply(lines: LineSocket): Promise<Reply | null> {
  const texts: string[] = []
  for (let count = 0; count < MOST_LINES; count++) {
    const line = await lines.readLine()
    if (line === null) return null
    const [, code = '', more = '', rest = ''] = /^([2-5]\d\d)(?:([ -])(.*))?$/s.exec(line) ?? []
    if (code === '') break
    texts.push(rest)
    if (more === '-') continue
    const text = texts.join('\n').slice(0, MOST_TEXT)
    const enhanced = /^([245]\.\d{1,3}\.\d{1,3})\b/m.exec(text)?.[1] ?? null
    return { code: Number(code), enhanced, text: text.replace(ADDRESS, ' ').toLowerCase() }
  }
  return { code: 0, enhanced: null, text: '' }
}

/** Sends a command and reads its reply. */
export async function sendCommand(lines: LineSocket, command: string): Promise<Reply | null> {
  await lines.write(command)
  return await readReply(lines)
}
