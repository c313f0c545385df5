import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { must } from '../../gateway/start.js'
import type { BenchGateway } from './gateway.js'
import { markPeak, peakMib, residentMib } from '../../gateway/process.js'
import { medianMs, row, type Say } from './figure.js'
import { uploadWav } from './wav.js'

const MIB = 1024 * 1024
const SIZE = 500 * MIB

interface Through {
  readonly data: { readonly file_size: number; readonly container: string }
}

/** A WAV file of 500 MiB from an upload through a probe into the store: memory of the gateway, and whether bytes go on before the last has come. */
export async function benchThrough(gateway: BenchGateway, say: Say): Promise<void> {
  const through = async (url: string): Promise<Through> => await must(`${gateway.url}/v1/bench/through`, gateway.key, { url })
  const small = (await uploadWav(gateway, MIB)).file_url
  const probe = (): Promise<unknown> => must(`${gateway.url}/v1/bench/probed`, gateway.key, { url: small })
  say(row('media.probe of an uploaded file of 1 MiB, the whole call', await medianMs(probe), { most: 120, unit: 'ms' }))
  await through(small)
  const before = residentMib(gateway.pid)
  markPeak(gateway.pid)
  const began = performance.now()
  let stored = 0
  const file = await uploadWav(gateway, SIZE, () => (stored = largestFile(join(gateway.data, 'artifacts'))))
  const uploaded = performance.now()
  const { data } = await through(file.file_url)
  const ended = performance.now()
  if (data.file_size !== SIZE || data.container !== 'wav') throw new Error(`the file came out as ${JSON.stringify(data)}`)
  const grown = peakMib(gateway.pid) - before
  say(
    row('500 MiB from an upload through media.probe to an artifact: peak resident memory above that before', grown, {
      most: 60,
      unit: 'MiB',
    }),
  )
  say(row('the upload: in the store when half of it was sent', stored / MIB, { least: 1, unit: 'MiB' }))
  say(`| the upload, and then fetch, probe and store | ${seconds(uploaded - began)} and ${seconds(ended - uploaded)} | | |`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** Bytes of the largest file below a folder. */
export function largestFile(folder: string): number {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(0, ...names.map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0))
}
