import { Type, capability, flat } from '../../../../../core/sdk/index.js'

export const greet = capability({
  id: 'greet',
  path: '/v1/greet',
  title: 'Greeting',
  description: 'Says hello to somebody.',
  input: Type.Object({ name: Type.String({ description: 'Whom to greet.' }) }),
  output: Type.Object({ text: Type.String() }),
  price: flat(0.5),
  work: 'light',
  examples: [{ title: 'Greet somebody', params: { name: 'First Last' } }],
})
