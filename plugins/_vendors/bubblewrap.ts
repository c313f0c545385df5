import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

/** Programs of this machine inside bubblewrap: own namespaces, no network, no privileges, bounded. */
export const bubblewrap = vendor({
  id: 'bubblewrap',
  title: 'bubblewrap (local sandbox)',
  home: 'https://github.com/containers/bubblewrap',
  programs: { bwrap: 'bubblewrap' },
  optionalPrograms: { python3: 'python3', node: 'nodejs', bash: 'bash', sh: 'dash' },
  settings: Type.Object({
    pip_index: or(
      nullable(Type.String({ format: 'uri', description: 'Index that Python packages are installed from; null for the default of pip.' })),
      null,
    ),
  }),
})
