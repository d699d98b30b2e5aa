export { ProfilesScreen } from './profiles-screen.tsx'
