import { chat, Fault, type ProviderContext, type Static } from '../../core/sdk/index.js'
import type { LanguageModel } from 'ai'
import { parsedAnswer } from './parsed-answer.js'
import { isStrict } from './strict-schema.js'
import { transport, type Transport } from './transport.js'

export type Question = Static<typeof chat.input>
export type Answer = Static<typeof chat.output>

/** How an answer in JSON is asked for: by schema, as any object with the schema in the prompt, or as text with the schema in the prompt. */
export type Form = 'schema' | 'object' | 'text'

const REFUSALS = new Set(['content-filter'])

/** One question to one model. Null when the model declined or its JSON was cut off or is none; a Fault when the vendor failed. */
export async function ask(
  question: Question,
  ctx: ProviderContext,
  make: (fetch: Transport['fetch']) => Promise<LanguageModel>,
  form: Form = 'schema',
): Promise<Answer | null> {
  const { generateText, jsonSchema, Output, NoObjectGeneratedError } = await import('ai')
  // The library would print its remarks to the standard output, which carries the gateway's own protocol.
  Reflect.set(globalThis, 'AI_SDK_LOG_WARNINGS', false)
  const { system, prompt, max_tokens: maxOutputTokens, schema } = question
  const line = transport(ctx)
  const output =
    schema === null || form === 'text' ? {} : { output: form === 'schema' ? Output.object({ schema: jsonSchema(schema) }) : Output.json() }
  const asked =
    schema === null || form === 'schema'
      ? prompt
      : `${prompt}\n\nReply with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
  try {
    const reply = await generateText({
      model: await make(line.fetch),
      prompt: asked,
      maxOutputTokens,
      maxRetries: 0,
      abortSignal: ctx.signal,
      providerOptions: { openaiCompatible: { strictJsonSchema: isStrict(schema) } },
      ...(system === null ? {} : { system }),
      ...output,
    })
    return read(reply.text, reply.finishReason, question, ctx)
  } catch (error) {
    const fault = line.fault()
    if (fault !== null) throw fault
    if (NoObjectGeneratedError.isInstance(error)) return read(error.text ?? '', error.finishReason ?? 'other', question, ctx)
    if (Fault.is(error) || ctx.signal.aborted) throw error
    throw new Fault('broken', 'The model server replied in a form that was not understood.', {
      internal: error instanceof Error ? error.name : 'unknown',
      cause: error,
    })
  }
}

function read(text: string, finish: string, { schema }: Question, ctx: ProviderContext): Answer | null {
  const cut = schema !== null && finish === 'length'
  const object = schema === null ? null : parsedAnswer(text)
  if (REFUSALS.has(finish) || cut || text.trim() === '' || object === undefined) {
    ctx.log('the model gave no usable answer', { finish, characters: text.length })
    return null
  }
  return { text, object }
}
