export const sameMoves: (sent: unknown, stored: unknown) => boolean;
