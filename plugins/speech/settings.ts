import { oneOf, or, Type } from '../../core/sdk/index.js'

const name = (description: string, value: string) => or(Type.String({ maxLength: 200, description }), value)

/** Operator settings of voices. */
export const settings = Type.Object({
  elevenlabs_model: name('Model of ElevenLabs when the caller names none.', 'eleven_multilingual_v2'),
  elevenlabs_voice: name('Id of the voice of ElevenLabs when the caller names none.', '21m00Tcm4TlvDq8ikWAM'),
  openai_model: name('Model for speech of OpenAI or the compatible server when the caller names none.', 'gpt-4o-mini-tts'),
  openai_voice: name('Voice of OpenAI or the compatible server when the caller names none.', 'alloy'),
  openai_format: or(
    Type.Unsafe<'auto' | 'mp3' | 'wav'>({
      ...oneOf('auto', 'mp3', 'wav'),
      description:
        'What OpenAI or the compatible server is asked for; auto is mp3 of OpenAI and wav of any other server, since some make nothing else.',
    }),
    'auto',
  ),
  openai_characters: or(
    Type.Integer({
      minimum: 50,
      maximum: 100_000,
      description:
        'Characters that OpenAI or the compatible server takes in one request; longer texts are cut between sentences and joined.',
    }),
    4_096,
  ),
  deepgram_voice: name('Voice of Deepgram when the caller names none; empty for one of the language of the text.', ''),
  cartesia_model: name('Model of Cartesia when the caller names none.', 'sonic-3'),
  cartesia_voice: name('Id of the voice of Cartesia when the caller names none; empty for the first public one of the language.', ''),
  piper_voices: or(
    Type.Array(Type.String({ pattern: '^/.{1,1000}\\.onnx$' }), {
      maxItems: 50,
      description:
        'Absolute paths of voices of Piper, each with its .onnx.json beside it, such as /opt/voices/en_US-lessac-medium.onnx; the first of a language is taken.',
    }),
    [],
  ),
})
