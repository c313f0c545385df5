import { cpus } from 'node:os'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { createSandbox } from '../../../core/exec/sandbox.js'
import { pairOf } from '../../../plugins/office/formats/table.js'
import { conversion, UNATTENDED, soffice, sourceName } from '../../../plugins/office/soffice.js'
import { docx, paragraph } from '../../../test/support/office-documents.js'
import { medianMs, row, type Say } from './figure.js'

/** By then a successor is ready also on a slow machine, in milliseconds. */
const PAUSE_MS = 4_000
const CALL_MS = 120_000
const MOST_BYTES = 64 * 1024 * 1024

/** How long a letter of two pages takes to become a PDF: LibreOffice started for it, started before, one after the other, and four at once. */
export async function benchOffice(say: Say): Promise<void> {
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
    return say(`| docx to PDF | not measured: ${missing.length > 0 ? `no ${missing.join(', ')}` : detail} | | |`)
  }
  const pair = pairOf('docx', 'pdf')
  const files = [{ name: sourceName(pair), data: docx(paragraph('Words of a letter, and more of them. ').repeat(90)) }]
  const words = conversion(pair, pair.reading.filter)
  const convert = async (how: 'cold' | 'warm'): Promise<void> => {
    const cancel = new Cancel(systemClock, systemClock.monotonic() + CALL_MS)
    const options = { files, collect: { maxFiles: 1, maxBytes: MOST_BYTES } }
    const result =
      how === 'warm'
        ? await sandbox.run('soffice', words, { ...options, warm: soffice }, cancel)
        : await sandbox.run('soffice', [...UNATTENDED, ...words], { ...options, memoryMb: soffice.memoryMb }, cancel)
    if (result.files.length !== 1) throw new Error(`nothing was made: ${Buffer.from(result.stderr).toString()}`)
  }
  try {
    const warm = (): Promise<void> => convert('warm')
    const rested = { restMs: PAUSE_MS }
    say(row('docx to PDF, LibreOffice started before its file comes', await medianMs(warm, rested), { most: 1_200, unit: 'ms' }))
    const four = (): Promise<unknown> => Promise.all([warm(), warm(), warm(), warm()])
    say(row('four of them at once', await medianMs(four, rested), { most: 4_000, unit: 'ms' }))
    say(row('docx to PDF, one call right after the other', await medianMs(warm), { unit: 'ms' }))
    say(row('docx to PDF, LibreOffice started for it', await medianMs(() => convert('cold')), { unit: 'ms' }))
  } finally {
    await sandbox.close()
  }
}
