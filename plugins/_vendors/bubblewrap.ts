import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

/** Where Debian installs Python modules. */
const DIST = '/usr/lib/python3/dist-packages'

/** Programs on this machine inside bubblewrap: separate namespaces, no network, no privileges, bounded resources. */
export const bubblewrap = vendor({
  id: 'bubblewrap',
  title: 'bubblewrap (local sandbox)',
  home: 'https://github.com/containers/bubblewrap',
  programs: { bwrap: 'bubblewrap' },
  optionalPrograms: { python3: 'python3', node: 'nodejs', bash: 'bash', sh: 'dash' },
  extras: {
    'template data-science of code.execute': {
      packages: 'python3-numpy python3-pandas python3-matplotlib',
      paths: ['numpy', 'pandas', 'matplotlib'].map((name) => `${DIST}/${name}`),
    },
    'template web-dev of code.execute': {
      packages: 'python3-flask python3-jinja2 python3-requests python3-bs4 python3-lxml',
      paths: ['flask', 'jinja2', 'requests', 'bs4', 'lxml'].map((name) => `${DIST}/${name}`),
    },
    'template video of code.execute': { packages: 'ffmpeg', paths: ['/usr/bin/ffmpeg'] },
    'packages of code.execute': { packages: 'python3-pip', paths: [`${DIST}/pip`] },
  },
  settings: Type.Object({
    pip_index: or(
      nullable(Type.String({ format: 'uri', description: 'Index that Python packages are installed from; null for the default of pip.' })),
      null,
    ),
  }),
})
