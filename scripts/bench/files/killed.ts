import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchGateway } from './gateway.js'
import { row, type Say } from './figure.js'
import { uploadWav } from './wav.js'

const CALLS = 200
const AT_ONCE = 8
const WAIT_MS = 30_000

/** Calls that fetch, probe and store a file, each broken off by its caller after 0 to 120 ms: what lies in the folder for temporary files afterwards. */
export async function benchKilled(gateway: BenchGateway, say: Say): Promise<void> {
  const { file_url: url } = await uploadWav(gateway, 8 * 1024 * 1024)
  for (let begun = 0; begun < CALLS; begun += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => brokenOff(gateway, url, ((begun + index) * 37) % 120)))
  const end = performance.now() + WAIT_MS
  while (filesBelow(gateway.temporary) > 0 && performance.now() < end) await pause(100)
  say(
    row(`files left in the folder for temporary files after ${CALLS} calls broken off`, filesBelow(gateway.temporary), {
      most: 0,
      unit: 'files',
    }),
  )
}

async function brokenOff({ url, key }: BenchGateway, file: string, afterMs: number): Promise<void> {
  const sent = request(`${url}/v1/bench/through`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  sent.on('error', () => undefined).on('response', (response) => response.resume().on('error', () => undefined))
  sent.end(JSON.stringify({ url: file }))
  await pause(afterMs)
  sent.destroy()
}

/** Files of calls: what the gateway itself keeps there (sockets, seccomp filters) is no call's. */
function filesBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /^[0-9a-f]{32}$/.test(entry.name),
  ).length
}
