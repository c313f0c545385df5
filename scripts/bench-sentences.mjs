/**
 * `node scripts/bench-sentences.mjs`: what the encoder of sentences costs. Starts its process as an engine does, without the sandbox, requests the vectors of a
 * thousand different sentences, 250 at a time, and prints processor time, sentences a second of it and the largest memory.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const pack = join(root, '.tools', 'sentences')
const [SENTENCES, AT_ONCE] = [1_000, 250]
const WORDS =
  'the train to coast is late again dog sleeping below table bread has become more expensive doctor told him walk install program'.split(
    ' ',
  )

const words = [
  '-IB',
  join(root, 'plugins/_shared/engine_process.py'),
  join(pack, 'lib'),
  join(root, 'plugins/sentences/engine/sentences.py'),
]
const child = spawn('/usr/bin/python3', [...words, join(pack, 'weights.npz'), join(pack, 'sp.model')], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { OMP_NUM_THREADS: '2' },
})
const chunks = child.stdout[Symbol.asyncIterator]()
/** A message as plugins/_shared/engine-frames.ts has it. */
const ask = (question) => {
  const text = Buffer.from(JSON.stringify(question))
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(text.length)
  child.stdin.write(Buffer.concat([lengths, text]))
}
/** Waits for one answer. */
const answered = async () => {
  let all = Buffer.alloc(0)
  while (all.length < 8 || all.length < 8 + all.readUInt32LE(0) + all.readUInt32LE(4)) {
    const { value, done } = await chunks.next()
    if (done) throw new Error('the encoder ended')
    all = Buffer.concat([all, value])
  }
}
/** Processor seconds of the process so far (proc(5): stat, 100 ticks a second). */
const used = () => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
await answered()
const loaded = used()
const texts = Array.from({ length: SENTENCES }, (_, at) => `${at} ${Array.from({ length: 9 }, (_word, place) => WORDS[(at * 7 + place * (1 + (at % 5))) % WORDS.length]).join(' ')}.`) // prettier-ignore
for (let at = 0; at < SENTENCES; at += AT_ONCE) {
  ask({ texts: texts.slice(at, at + AT_ONCE) })
  await answered()
}
const seconds = used() - loaded
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
child.stdin.end()
console.log(`start: ${loaded.toFixed(2)} s of the processor`)
console.log(`${SENTENCES} sentences of 10 words: ${seconds.toFixed(2)} s of the processor, ${Math.round(SENTENCES / seconds)} a second`)
console.log(`largest memory: ${Math.round(Number(peak) / 1024)} MiB`)
