import { Type, by, capability, nullable, oneOf, or, port } from '../../../../../core/sdk/index.js'

export const observe = port({
  id: 'weather.observe',
  input: Type.Object({ place: Type.String({ minLength: 1 }), days: or(Type.Integer({ minimum: 1, maximum: 7 }), 1) }),
  output: Type.Object({ summary: Type.String(), degrees: nullable(Type.Number()) }),
})

export const weather = capability({
  id: 'weather.now',
  path: '/v1/weather/now',
  title: 'Weather',
  description: 'The weather at a place, in one sentence.',
  input: Type.Object({
    place: Type.String({ minLength: 1, description: 'Name of the place.' }),
    mode: or(Type.Unsafe<'short' | 'long'>({ ...oneOf('short', 'long'), description: 'How much to say.' }), 'short'),
    near: Type.Optional(Type.Object({ lat: Type.Number(), lon: Type.Number() }, { description: 'Where to look first.' })),
  }),
  output: Type.Object({ text: Type.String() }),
  price: by('mode', { short: 1, long: 2.5 }),
  work: 'light',
  examples: [{ title: 'The weather in one sentence', params: { place: 'Springfield' } }],
  aliases: ['weather'],
  uses: [observe],
})
