import { capability, flat, Type } from 'capstan/sdk'
import { mediaProbe } from 'capstan/contracts/media'

const url = Type.String({ format: 'uri', description: 'Address of the file.' })

/** A file from its address through a probe into the store. */
export const through = capability({
  id: 'bench.through',
  path: '/v1/bench/through',
  title: 'Probe a file and keep it',
  description: 'Fetches a media file, probes it and stores it again.',
  input: Type.Object({ url }),
  output: Type.Object({ container: Type.String(), file_url: Type.String(), file_size: Type.Integer() }),
  price: flat(1),
  work: 'media',
  timeoutMs: 300_000,
  uses: [mediaProbe],
  examples: [{ title: 'A file', params: { url: 'https://example.com/a.wav' } }],
})

/** The same without keeping it. */
export const probed = capability({
  id: 'bench.probed',
  path: '/v1/bench/probed',
  title: 'Probe a file',
  description: 'Fetches a media file and probes it.',
  input: Type.Object({ url }),
  output: Type.Object({ container: Type.String() }),
  price: flat(1),
  work: 'media',
  uses: [mediaProbe],
  examples: [{ title: 'A file', params: { url: 'https://example.com/a.wav' } }],
})

const answer = Type.Object({ name: Type.String(), vendors: Type.Integer() })

/** Vendors that each take 200 ms, called at once. */
export const gathered = capability({
  id: 'bench.gathered',
  path: '/v1/bench/gathered',
  title: 'Call five vendors',
  description: 'Merges what five vendors answer.',
  input: Type.Object({ name: Type.String({ description: 'The name to look up.' }) }),
  output: answer,
  price: flat(1),
  work: 'light',
  examples: [{ title: 'A name', params: { name: 'a' } }],
})

const job = {
  input: Type.Object({ name: Type.String({ description: 'The name to look up.' }) }),
  output: Type.Object({ name: Type.String() }),
}

/** A job that is done at the first poll, waited for with `poll`. */
export const polled = capability({
  id: 'bench.polled',
  path: '/v1/bench/polled',
  title: 'A job that is done',
  description: 'Creates a job and waits for it.',
  ...job,
  price: flat(1),
  work: 'light',
  examples: [{ title: 'A name', params: { name: 'a' } }],
})

/** The same two requests without `poll`. */
export const unpolled = capability({
  id: 'bench.unpolled',
  path: '/v1/bench/unpolled',
  title: 'Two requests',
  description: 'Creates a job and requests its state once.',
  ...job,
  price: flat(1),
  work: 'light',
  examples: [{ title: 'A name', params: { name: 'a' } }],
})
