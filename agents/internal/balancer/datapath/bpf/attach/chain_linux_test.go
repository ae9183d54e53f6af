package attach

import (
	"testing"

	"github.com/cilium/ebpf/asm"
)

func TestOnlyAProgramThatAlwaysReturnsNextIsHarmless(t *testing.T) {
	next32, next64, pass := asm.Mov.Imm32(asm.R0, -1), asm.Mov.Imm(asm.R0, -1), asm.Mov.Imm(asm.R0, 0)
	exit := asm.Return()
	jump := func(offset int16, condition asm.JumpOp) asm.Instruction {
		return asm.Instruction{OpCode: condition.Op(asm.ImmSource), Dst: asm.R1, Offset: offset}
	}
	for _, test := range []struct {
		name string
		code asm.Instructions
		want bool
	}{
		{"next", asm.Instructions{next64, exit}, true},
		{"next in 32 bits", asm.Instructions{next32, exit}, true},
		{"pass", asm.Instructions{pass, exit}, false},
		{"a copy", asm.Instructions{asm.Mov.Reg(asm.R0, asm.R1), exit}, false},
		{"nothing set", asm.Instructions{exit}, false},
		{"one of two returns passes", asm.Instructions{next64, jump(1, asm.JEq), exit, pass, exit}, false},
		{"both returns are next", asm.Instructions{next64, jump(2, asm.JEq), pass, jump(1, asm.Ja), exit, next64, exit}, true},
		{"past a wide instruction", asm.Instructions{next64, jump(3, asm.JEq), asm.LoadImm(asm.R2, 1<<40, asm.DWord), exit, exit}, true},
		{"a loop", asm.Instructions{next64, jump(-2, asm.JEq), exit}, true},
		{"changed later", asm.Instructions{next64, asm.Add.Imm(asm.R0, 1), exit}, false},
		{"loaded", asm.Instructions{next64, asm.LoadMem(asm.R0, asm.R1, 0, asm.Word), exit}, false},
		{"other registers", asm.Instructions{next64, asm.LoadMem(asm.R2, asm.R1, 0, asm.Word), asm.Add.Imm(asm.R2, 1), exit}, true},
		{"a call", asm.Instructions{next64, asm.FnKtimeGetNs.Call(), exit}, false},
		{"next after a call", asm.Instructions{asm.FnKtimeGetNs.Call(), next64, exit}, true},
		{"a tail call", asm.Instructions{asm.FnTailCall.Call(), next64, exit}, false},
		{"no end", asm.Instructions{next64}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := alwaysReturns(test.code, tcxNext); got != test.want {
				t.Errorf("always next: %v", got)
			}
		})
	}
}
