"""The edge to the hardware: serial ports, card readers, and the zones that turn their reads into movements of cards."""
