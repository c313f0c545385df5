import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Cancel } from '../../../core/cancel.js'
import { systemClock } from '../../../core/clock.js'
import { createSandbox } from '../../../core/exec/index.js'
import { filtersOf } from '../../../plugins/office/formats.js'
import { conversion, QUIET, soffice, sourceName } from '../../../plugins/office/soffice.js'
import { docx, paragraph } from '../../../test/support/office-documents.js'

const WARM_UPS = 3
const RUNS = 20
/** By then a successor is ready also on a slow machine, in milliseconds. */
const PAUSE_MS = 4_000
const CALL_MS = 120_000
const MOST_BYTES = 64 * 1024 * 1024

/** Says how long a letter of two pages takes to become a PDF: LibreOffice started for it, started before, one after the other, and four at once. */
export async function benchOffice(say: (line: string) => void): Promise<void> {
  const sandbox = createSandbox({
    clock: systemClock,
    log: (message, fields) => say(`${message} ${JSON.stringify(fields)}`),
    programs: () => undefined,
    slots: Math.max(4, cpus().length * 2),
    proxySocket: () => Promise.reject(new Error('no network in this measurement')),
    protectedPaths: [],
  })
  const { live, detail } = await sandbox.status()
  const missing = ['soffice', 'bwrap'].filter((name) => sandbox.program(name) === undefined)
  if (!live || missing.length > 0) {
    await sandbox.close()
    return say(`docx to PDF: not measured: ${missing.length > 0 ? `no ${missing.join(', ')}` : detail}`)
  }
  const files = [{ name: sourceName('docx'), data: docx(paragraph('Words of a letter, and more of them. ').repeat(90)) }]
  const words = conversion('docx', 'pdf', filtersOf('docx', 'pdf'))
  const convert = async (how: 'cold' | 'warm'): Promise<number> => {
    const began = performance.now()
    const cancel = new Cancel(systemClock, systemClock.monotonic() + CALL_MS)
    const options = { files, collect: { maxFiles: 1, maxBytes: MOST_BYTES } }
    const result =
      how === 'warm'
        ? await sandbox.run('soffice', words, { ...options, warm: soffice }, cancel)
        : await sandbox.run('soffice', [...QUIET, ...words], { ...options, memoryMb: soffice.memoryMb }, cancel)
    if (result.files.length !== 1) throw new Error(`nothing was made: ${Buffer.from(result.stderr).toString()}`)
    return performance.now() - began
  }
  try {
    say(`docx to PDF, LibreOffice started for it: ${await medianOf(() => convert('cold'))}`)
    say(`docx to PDF, started before: ${await medianOf(() => convert('warm'), PAUSE_MS)}`)
    say(`docx to PDF, started before, one call right after the other: ${await medianOf(() => convert('warm'))}`)
    say(`docx to PDF, four at once: ${await medianOf(() => atOnce(() => convert('warm')), PAUSE_MS)}`)
  } finally {
    await sandbox.close()
  }
}

async function atOnce(work: () => Promise<number>): Promise<number> {
  const times = await Promise.all([work(), work(), work(), work()])
  return Math.max(...times)
}

/** Median of 20 after 3 that do not count. */
async function medianOf(work: () => Promise<number>, pauseMs = 0): Promise<string> {
  const times: number[] = []
  for (let run = 0; run < WARM_UPS + RUNS; run++) {
    const time = await work()
    if (run >= WARM_UPS) times.push(time)
    await setTimeout(pauseMs)
  }
  const sorted = times.toSorted((one, other) => one - other)
  return `${((sorted[RUNS / 2 - 1] ?? 0) / 2 + (sorted[RUNS / 2] ?? 0) / 2).toFixed(0)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`
}
