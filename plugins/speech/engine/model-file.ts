/** Data of a Piper voice for sherpa-onnx, from the JSON file beside it. */
export interface VoiceFacts {
  /** Name in espeak-ng. */
  readonly voice: string
  readonly language: string
  readonly speakers: number
  readonly rate: number
  /** The number of each phoneme. */
  readonly phonemes: readonly (readonly [string, number])[]
}

/** Field 14 of an ONNX model (onnx.proto, ModelProto.metadata_props), a message of key (1) and value (2). */
const METADATA = 14
const BYTES = 2

/** Parses the JSON file of a voice. Throws TypeError for invalid content. */
export function voiceFacts(json: unknown): VoiceFacts {
  const [audio, espeak, map] = [fieldsOf(json).audio, fieldsOf(json).espeak, fieldsOf(json).phoneme_id_map]
  const [rate, voice, speakers] = [fieldsOf(audio).sample_rate, fieldsOf(espeak).voice, fieldsOf(json).num_speakers]
  if (typeof rate !== 'number' || typeof voice !== 'string') throw new TypeError('the file beside the voice does not describe one')
  const phonemes = Object.entries(fieldsOf(map)).flatMap(([phoneme, ids]): [string, number][] => {
    const first: unknown = Array.isArray(ids) ? ids[0] : undefined
    return typeof first === 'number' ? [[phoneme, first]] : []
  })
  return { voice, language: voice.split('-', 1)[0] ?? voice, speakers: typeof speakers === 'number' ? speakers : 1, rate, phonemes }
}

/** The token list of sherpa-onnx: one phoneme and its number per line. */
export function tokenList({ phonemes }: VoiceFacts): string {
  return phonemes.map(([phoneme, id]) => `${phoneme} ${String(id)}\n`).join('')
}

/** Bytes to append to the ONNX file: protobuf fields may be in any order, and repeated ones are concatenated. */
export function modelMetadata({ voice, language, speakers, rate }: VoiceFacts): Uint8Array {
  const entries = {
    model_type: 'vits',
    comment: 'piper',
    language,
    voice,
    has_espeak: '1',
    n_speakers: String(speakers),
    sample_rate: String(rate),
  }
  return Buffer.concat(
    Object.entries(entries).map(([key, value]) =>
      field(METADATA, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))])),
    ),
  )
}

function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + BYTES]), Buffer.from(varint(bytes.length)), bytes])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
