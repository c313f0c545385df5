import { capability, flat, Type, type TObject, type TSchema } from '../../../../../core/sdk/index.js'

/** A tool that the conformance suites of MCP call by its name. */
function tool<I extends TObject, O extends TSchema>(id: string, title: string, input: I, output: O) {
  const path = `/v1/${id.replaceAll('_', '-')}`
  const examples = [{ title, params: {} }]
  return capability({
    id,
    path,
    title,
    description: `${title}, for conformance tests.`,
    input,
    output,
    price: flat(1),
    work: 'light',
    examples,
  })
}

const none = Type.Object({}, { additionalProperties: false })
const text = Type.Object({ text: Type.String() })

export const simpleText = tool('test_simple_text', 'Says a text', none, text)
export const image = tool('test_image_content', 'Gives a picture', none, Type.Object({ image_base64: Type.String() }))
export const audio = tool('test_audio_content', 'Gives a sound', none, Type.Object({ audio_base64: Type.String() }))
export const resource = tool('test_embedded_resource', 'Gives a file', none, Type.Object({ content_base64: Type.String() }))
export const mixed = tool(
  'test_multiple_content_types',
  'Gives a text, a picture and a file',
  none,
  Type.Object({ text: Type.String(), image_base64: Type.String(), content_base64: Type.String() }),
)
export const failing = tool('test_error_handling', 'Fails', none, text)
export const progress = tool('test_tool_with_progress', 'Reports progress', none, text)
export const logging = tool('test_logging_tool', 'Sends no log message', none, text)
export const elicitation = tool('test_streaming_elicitation', 'Sends no request', none, text)
