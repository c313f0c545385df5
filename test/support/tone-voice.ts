/** Fields of protobuf (https://protobuf.dev/programming-guides/encoding/): numbers as varints, everything else with its length. */
function field(number: number, value: number | string | Uint8Array): Buffer {
  if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)])
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

const FLOAT = 1
const INT64 = 7

/** A tensor of the graph's ends, with a name for each dimension (onnx.proto, ValueInfoProto). */
function valueInfo(name: string, type: number, dimensions: readonly string[]): Buffer {
  const shape = Buffer.concat(dimensions.map((dimension) => field(1, field(2, dimension))))
  return Buffer.concat([field(1, name), field(2, field(1, Buffer.concat([field(1, type), field(2, shape)])))])
}

/** A voice of Piper that says the same tone for every text: an ONNX model with the inputs and the output of one, and the JSON file beside it. */
export function toneVoice({ hertz, rate, seconds, espeak, phonemes }: ToneVoice): { readonly model: Buffer; readonly json: string } {
  const samples = Float32Array.from({ length: rate * seconds }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate))
  const tone = [
    field(1, 1),
    field(1, 1),
    field(1, samples.length),
    field(2, FLOAT),
    field(8, 'tone'),
    field(9, new Uint8Array(samples.buffer)),
  ]
  const graph = [
    field(1, Buffer.concat([field(1, 'tone'), field(2, 'output'), field(3, 'speak'), field(4, 'Identity')])),
    field(2, 'tone'),
    field(5, Buffer.concat(tone)),
    field(11, valueInfo('input', INT64, ['batch', 'phonemes'])),
    field(11, valueInfo('input_lengths', INT64, ['batch'])),
    field(11, valueInfo('scales', FLOAT, ['three'])),
    field(12, valueInfo('output', FLOAT, ['batch', 'one', 'time'])),
  ]
  const opset = Buffer.concat([field(1, ''), field(2, 13)])
  return {
    model: Buffer.concat([field(1, 8), field(8, opset), field(7, Buffer.concat(graph))]),
    json: JSON.stringify({ audio: { sample_rate: rate }, espeak: { voice: espeak }, num_speakers: 1, phoneme_id_map: phonemes }),
  }
}

interface ToneVoice {
  readonly hertz: number
  /** Samples a second. */
  readonly rate: number
  readonly seconds: number
  /** As espeak-ng names it. */
  readonly espeak: string
  /** The numbers of each phoneme. */
  readonly phonemes: unknown
}
