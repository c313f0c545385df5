import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

/** The operator's own whisper.cpp with an own model file. */
export const whisperCpp = vendor({
  id: 'whisper-cpp',
  title: 'whisper.cpp (own program)',
  home: 'https://github.com/ggml-org/whisper.cpp',
  programs: { 'whisper-cli': 'whisper.cpp', bwrap: 'bubblewrap' },
  settings: Type.Object({
    model: or(
      nullable(Type.String({ minLength: 1, pattern: '^/', description: 'Absolute path of the ggml model file; null for none.' })),
      null,
    ),
  }),
})
