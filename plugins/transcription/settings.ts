import { or, Type } from '../../core/sdk/index.js'

const model = (value: string, description: string) => or(Type.String({ minLength: 1, maxLength: 200, description }), value)

export const settings = Type.Object({
  audio_seconds: or(
    Type.Integer({ minimum: 1, maximum: 14_400, description: 'Longest recording that is transcribed, in seconds.' }),
    14_400,
  ),
  deepgram_model: model('nova-3', 'Model for transcription at Deepgram.'),
  openai_model: model('whisper-1', 'Model for transcription at OpenAI or a compatible server.'),
  groq_model: model('whisper-large-v3-turbo', 'Model for transcription at Groq.'),
  assemblyai_models: or(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 5,
      description: 'Models for transcription at AssemblyAI; the first that knows the language is used.',
    }),
    ['universal-3-pro', 'universal-2'],
  ),
  elevenlabs_model: model('scribe_v2', 'Model for transcription at ElevenLabs.'),
})
