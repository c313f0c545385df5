import { expect } from 'chai'
import { ESPEAK_VOICES, espeakLanguage, espeakVoice, espeakVoiceOf } from './espeak-ng.js'
import { fits, OPENAI_VOICES, vendorsOf } from './forms.js'
import { chosenVoice, piperVoice } from './piper.js'

describe('names of voices', () => {
  it('tell whose they are: no name is of two vendors, but Piper’s are of both its engines', () => {
    const owners = (names: readonly string[]): string[] => [...new Set(names.map((name) => vendorsOf(name).join(' ')))]
    expect(owners([...OPENAI_VOICES, 'tts-1', 'tts-1-hd', 'gpt-4o-mini-tts', 'gpt-4o-mini-tts-2025-12-15', 'voice_68a0'])).to.deep.equal([
      'openai-compatible',
    ])
    expect(owners(ESPEAK_VOICES.map(([code]) => code))).to.deep.equal(['espeak-ng'])
    expect(owners(['en', 'fr', 'zh', 'EN-us', 'de+f3', 'pt-BR+m8'])).to.deep.equal(['espeak-ng'])
    expect(owners(['21m00Tcm4TlvDq8ikWAM', 'eleven_v3', 'eleven_flash_v2_5'])).to.deep.equal(['elevenlabs'])
    expect(owners(['aura-asteria-en', 'aura-2-viktoria-de'])).to.deep.equal(['deepgram'])
    expect(owners(['694f9389-aac1-45b6-b726-9d9369183238', 'sonic-3', 'sonic-latest'])).to.deep.equal(['cartesia'])
    expect(owners(['en_US-joe-medium', 'de_DE-thorsten-x_low'])).to.deep.equal(['voice piper'])
    expect(owners(['Rachel', 'af_heart', 'xx', 'de+', 'de+f3+m1', '../etc', 'en us', ''])).to.deep.equal([''])
  })

  it('fit a vendor when model and voice both have its form', () => {
    const of = (voice_model: string | null, voice_id: string | null) => ({ voice_model, voice_id })
    expect(fits('openai-compatible', of('tts-1', 'nova'))).to.equal(true)
    expect(fits('openai-compatible', of('tts-1', 'en-us'))).to.equal(false)
    expect(fits('openai-compatible', of('nova', null))).to.equal(false)
    expect(fits('deepgram', of('aura-2-thalia-en', null)) && fits('deepgram', of(null, 'aura-2-thalia-en'))).to.equal(true)
    expect(fits('other', of(null, null))).to.equal(true)
    expect(fits('other', of('x', null))).to.equal(false)
  })

  it('of eSpeak NG are codes in its own spelling, and each language has one', () => {
    expect(['EN-GB', 'en', 'fr', 'no', 'zh', 'vi-VN-X-south+F2'].map(espeakVoice)).to.deep.equal([
      ...['en-gb', 'en-us', 'fr-fr', 'nb', 'cmn', 'vi-vn-x-south+F2'],
    ])
    expect(['en', 'de', 'zh', 'no', 'pt', 'xx'].map(espeakVoiceOf)).to.deep.equal(['en-us', 'de', 'cmn', 'nb', 'pt', null])
    expect(['en-us+f3', 'cmn', 'nb', 'pt-br', 'yue'].map(espeakLanguage)).to.deep.equal(['en', 'zh', 'no', 'pt', 'zh'])
  })

  it('of Piper are those of its files, of which the first of the language is taken', () => {
    const voices = ['/v/en_US-joe-medium.onnx', '/v/de_DE-thorsten-high.onnx', '/v/own.onnx'].map(piperVoice)
    const chosen = (language: string, voice_id: string | null, voice_model: string | null = null): string | undefined =>
      chosenVoice(voices, { language, voice_id, voice_model })?.path
    expect([chosen('de', null), chosen('en', null), chosen('fr', null)]).to.deep.equal([
      '/v/de_DE-thorsten-high.onnx',
      '/v/en_US-joe-medium.onnx',
      undefined,
    ])
    expect([chosen('de', 'own'), chosen('de', null, 'en_US-joe-medium'), chosen('de', 'own', 'en_US-joe-medium')]).to.deep.equal([
      ...['/v/own.onnx', '/v/en_US-joe-medium.onnx', undefined],
    ])
  })
})
