import { Type, capability, flat } from 'capstan/sdk'

export const echo = capability({
  id: 'bench.echo',
  path: '/v1/bench/echo',
  title: 'Call the mock',
  description: 'One question to the benchmark upstream.',
  input: Type.Object({ prompt: Type.String({ description: 'The prompt.' }) }),
  output: Type.Object({ text: Type.String() }),
  price: flat(1),
  examples: [{ title: 'Ask', params: { prompt: 'hello' } }],
})
