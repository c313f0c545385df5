import { connect, type Socket } from 'node:net'

const EVERY_MS = 1_000

/**
 * Keeps so many connections open, from a local address, that never end their headers. Answers what to call for the figures: how many were opened and closed by the
 * other side, and the longest that one stayed open, in milliseconds. Null for none.
 */
export function slowHeads(
  url: URL,
  { count, from }: { readonly count: number; readonly from: string },
): (() => { opened: number; closed: number; longestMs: number }) | null {
  if (count === 0) return null
  let [opened, closed, longestMs] = [0, 0, 0]
  const sockets = new Set<Socket>()
  const open = (): void => {
    const began = performance.now()
    const socket = connect({ port: Number(url.port), host: url.hostname, localAddress: from })
    opened++
    sockets.add(socket)
    socket.on('error', () => undefined).resume()
    socket.write('POST /v1/search HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    socket.on('close', () => {
      closed++
      longestMs = Math.max(longestMs, performance.now() - began)
      sockets.delete(socket)
    })
  }
  const tick = (): void => {
    sockets.forEach((socket) => socket.write('a'))
    while (sockets.size < count) open()
  }
  tick()
  setInterval(tick, EVERY_MS).unref()
  return () => ({ opened, closed, longestMs: Math.round(longestMs) })
}
