import { Type, capability, flat } from 'capstan/sdk'

export const echo = capability({
  id: 'bench.echo',
  path: '/v1/bench/echo',
  title: 'Ask the mock',
  description: 'One question to the benchmark upstream.',
  input: Type.Object({ prompt: Type.String({ description: 'What to ask.' }) }),
  output: Type.Object({ text: Type.String() }),
  price: flat(1),
  examples: [{ title: 'Ask', params: { prompt: 'hello' } }],
})
