export { SpacesScreen } from './spaces-screen.tsx'
