import { constants, setPriority } from 'node:os'

/**
 * A process of its own, so that reading megabytes of sound delays no search of the bench: `loader.js URL KEY COUNT SECONDS` has that many sounds
 * made at any time until its standard input ends, waits for the last ones and prints how many were made. Ends with 1 when one was not made.
 */
// A caller on another machine would not take the gateway's processors.
setPriority(constants.priority.PRIORITY_LOW)

const PROMPTS = ['rain', 'a stream', 'wind', 'a siren']

const [url = '', key = '', count = '0', seconds = '0'] = process.argv.slice(2)
let [going, made] = [true, 0]
process.stdin.on('end', () => (going = false)).resume()
await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    while (going) await make(PROMPTS[index % PROMPTS.length] ?? 'rain')
  }),
)
process.stdout.write(`${String(made)}\n`)

async function make(prompt: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ prompt, duration_seconds: Number(seconds), output_format: 'wav_44100' })
  const reply = await fetch(`${url}/v1/sounds/generate`, { method: 'POST', headers, body })
  for await (const chunk of reply.body ?? []) void chunk
  if (reply.status !== 200) throw new Error(`${prompt} was not made: ${String(reply.status)}`)
  made++
}
