import { nullable, oneOf, or, Type, vendor } from '../../core/sdk/index.js'

/** gVisor's runsc: programs on this machine with a user-space kernel. */
export const gvisor = vendor({
  id: 'gvisor',
  title: 'gVisor (local sandbox)',
  home: 'https://gvisor.dev/docs/',
  programs: { runsc: 'runsc' },
  memoryUnbounded: () =>
    process.geteuid?.() === 0
      ? null
      : 'runsc has no control groups without root: nothing bounds the memory and number of processes of a program',
  settings: Type.Object({
    platform: or(
      Type.Unsafe<'auto' | 'systrap' | 'kvm' | 'ptrace'>({
        ...oneOf('auto', 'systrap', 'kvm', 'ptrace'),
        description: 'How runsc takes over system calls; kvm needs /dev/kvm; auto takes the first of the others that works here.',
      }),
      'auto',
    ),
    state: or(
      nullable(Type.String({ minLength: 1, description: "Folder for the state of running sandboxes; null for runsc's own." })),
      null,
    ),
  }),
})
