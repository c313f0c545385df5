import { Type } from '../sdk/index.js'

/** The body of the endpoint that serves every capability by name. */
export const agentInput = Type.Object(
  {
    capability: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Id of the capability, for example the last part of its path; its path and aliases are taken too.',
    }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { default: {}, description: 'Parameters of the capability.' })),
  },
  { additionalProperties: false },
)
