import { connect } from 'node:net'

/** Sends bytes over a connection of their own and answers everything that came back until the peer closed, or until so many answers came. */
export function raw(
  url: string,
  bytes: string | Buffer,
  until: { answers?: number; ms?: number } = {},
): Promise<{ text: string; closed: boolean; statuses: number[] }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const done = (closed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])) })
    }
    const timer = setTimeout(() => done(false), until.ms ?? 5_000)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (
        until.answers !== undefined &&
        text.split(/HTTP\/1\.1 (?!100)\d{3} /).length - 1 >= until.answers &&
        /\r\n\r\n[^]*[}\]]$/.test(text)
      )
        done(false)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => done(true))
    socket.write(bytes)
  })
}
