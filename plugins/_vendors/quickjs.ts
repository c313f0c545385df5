import { or, Type, vendor } from '../../core/sdk/index.js'

/** A JavaScript engine inside this process, compiled to WebAssembly: needs no installation. */
export const quickjs = vendor({
  id: 'quickjs',
  title: 'QuickJS (in WebAssembly)',
  home: 'https://bellard.org/quickjs/',
  settings: Type.Object({
    memory_mb: or(Type.Integer({ minimum: 8, maximum: 512, description: 'Memory of one program in MiB.' }), 128),
  }),
})
