import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../../core/runtime/root.js'
import { SOUND_FONT } from '../../../plugins/_vendors/music.js'
import { asksForMusic } from '../../../plugins/sounds/music/vocabulary.js'
import { planOf } from '../../../plugins/sounds/prompt/plan.js'
import { processesBelow } from '../engines.js'

const MOST_BYTES = 64 * 1024 * 1024

/**
 * Milliseconds of processor time of the process that makes a sound as WAV, from its start to its end: as the sandbox starts it, beside it. A process
 * that ended inside a sandbox takes its times along, so that they cannot be read of the gateway.
 */
export function renderingMs(prompt: string, seconds: number): number {
  const plan = planOf({ prompt, seconds, loop: false, prompt_influence: 0.3 }, { sample: () => null, music: asksForMusic })
  if (plan === null) throw new Error(`nothing fits ${prompt}`)
  const { parts, steps } = plan
  const args = { parts, steps, seconds, loop: false, freedom: 0.7, format: 'wav_44100', soundfont: SOUND_FONT }
  const header = Buffer.from(JSON.stringify({ args, sizes: [] }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  const built = (path: string): string => join(packageRoot(), 'dist', path)
  const module = built(`plugins/sounds/parse/${parts.some(({ made }) => made.by === 'music') ? 'with-music' : 'plain'}.js`)
  const before = endedMs()
  const { status, stdout, stderr } = spawnSync('node', [built('core/exec/parse-process.js'), pathToFileURL(module).href], {
    input: Buffer.concat([length, header]),
    maxBuffer: MOST_BYTES,
  })
  if (status !== 0 || stdout.length < seconds * 44_100 * 4) throw new Error(`${prompt}: no sound was made: ${stderr.toString()}`)
  return endedMs() - before
}

/** Processor time of the children of this process that have ended. */
function endedMs(): number {
  const own = processesBelow(process.pid).find(({ pid }) => pid === process.pid)
  return own === undefined ? 0 : own.wholeMs - own.ownMs
}
