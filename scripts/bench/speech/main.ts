import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { furnish } from '../../gateway/furnish.js'
import { startGateway } from '../../gateway/start.js'
import { middle, synthesized } from './synthesized.js'

const HELP = `npm run bench:speech -- [--provider ID,ID] [--save FOLDER]

Has a gateway of this build speak fifty English sentences with dates, amounts, times and addresses, one after the other, and prints how long each vendor takes
for one. Vendors that are not there are left out. --save writes the sounds, and beside each what is to be heard.
`

const { values } = parseArgs({
  options: {
    provider: { type: 'string', default: 'voice,espeak-ng' },
    save: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
if (values.help) process.stdout.write(HELP)
else await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-speech-'))
  // Programs run as users of their own, who must be able to enter it.
  chmodSync(folder, 0o711)
  const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', env: { TMPDIR: folder } })
  try {
    const [key = ''] = await furnish(gateway, 1)
    for (const provider of values.provider.split(',')) {
      const spoken = await synthesized({ url: gateway.url, key }, provider)
      const { median, p95 } = middle(spoken.map(({ ms }) => ms))
      say(
        `${provider}: ${String(spoken.length)} sentences, median ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ${spoken[0]?.format ?? ''}`,
      )
      if (values.save !== '') save(join(values.save, provider), spoken)
    }
  } finally {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function save(folder: string, spoken: Awaited<ReturnType<typeof synthesized>>): void {
  mkdirSync(folder, { recursive: true })
  for (const [at, { sound, format, heard }] of spoken.entries()) {
    const name = join(folder, String(at + 1).padStart(2, '0'))
    writeFileSync(`${name}.${format}`, sound)
    writeFileSync(`${name}.txt`, `${heard}\n`)
  }
}
