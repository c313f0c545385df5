import { expect } from 'chai'
import { modelMetadata, tokenList, voiceFacts } from './model-file.js'

const json = {
  audio: { sample_rate: 22_050, quality: 'medium' },
  espeak: { voice: 'en-us' },
  num_speakers: 1,
  phoneme_id_map: { _: [0], '^': [1], a: [14, 15], ' ': [3] },
}

describe('the file of a voice for sherpa-onnx', () => {
  it('gets its facts as fields of protobuf behind the model', () => {
    const bytes = Buffer.from(modelMetadata(voiceFacts(json)))
    const entries: Record<string, string> = {}
    for (let at = 0; at < bytes.length;) {
      expect(bytes[at]).to.equal(0x72)
      const [end, key] = [at + 2 + (bytes[at + 1] ?? 0), bytes[at + 3] ?? 0]
      expect([bytes[at + 2], bytes[at + 4 + key]]).to.deep.equal([0x0a, 0x12])
      entries[bytes.toString('utf8', at + 4, at + 4 + key)] = bytes.toString('utf8', at + 6 + key, end)
      at = end
    }
    expect(entries).to.deep.equal({
      model_type: 'vits',
      comment: 'piper',
      language: 'en',
      voice: 'en-us',
      has_espeak: '1',
      n_speakers: '1',
      sample_rate: '22050',
    })
  })

  it('has a list of tokens with the first number of each phoneme', () => {
    expect(tokenList(voiceFacts(json))).to.equal('_ 0\n^ 1\na 14\n  3\n')
  })

  it('is refused when the file beside it describes no voice', () => {
    for (const other of [null, [], 'x', {}, { audio: { sample_rate: '1' }, espeak: { voice: 'en' } }])
      expect(() => voiceFacts(other)).to.throw(TypeError)
  })
})
