import { Type, httpProvider } from 'capstan/sdk'
import { echo } from '../contract.js'

export const mock = httpProvider(echo, {
  vendor: { id: 'mock', title: 'Benchmark upstream', needsUrl: true },
  request: ({ prompt }) => ({
    method: 'POST',
    path: '/v1/chat/completions',
    json: { model: 'mock', messages: [{ role: 'user', content: prompt }] },
  }),
  reply: Type.Object({ choices: Type.Array(Type.Object({ message: Type.Object({ content: Type.String() }) })) }),
  map: ({ choices }) => (choices[0] === undefined ? null : { text: choices[0].message.content }),
})
