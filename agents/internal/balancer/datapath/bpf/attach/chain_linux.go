package attach

import (
	"fmt"
	"slices"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
)

// chainWarnings returns a warning for each program that was attached before ours and may
// end the chain, so that packets don't reach ours.
func (l *linked) chainWarnings() (out []string) {
	own, err := l.program.Info()
	if err != nil {
		return nil
	}
	chain, err := l.place.chain()
	if err != nil {
		return []string{fmt.Sprintf("The programs at %s can't be listed, so one that keeps packets from the balancer would not be noticed: %v.", l.place.name(), err)}
	}
	id, _ := own.ID()
	for _, before := range chain[:max(0, slices.Index(chain, id))] {
		if name, ends := examine(before); ends {
			out = append(out, fmt.Sprintf("The program %q (ID %d) runs before the balancer's at %s and may end the processing of packets there: those don't reach the balancer. Attach it after the balancer's, or remove it.", name, before, l.place.name()))
		}
	}
	return out
}

// examine returns a program's name, and whether it may return anything but TCX_NEXT. One
// that can't be read may.
func examine(id ebpf.ProgramID) (name string, ends bool) {
	program, err := ebpf.NewProgramFromID(id)
	if err != nil {
		return "unknown", true
	}
	defer program.Close()
	info, err := program.Info()
	if err != nil {
		return "unknown", true
	}
	instructions, err := info.Instructions()
	return info.Name, err != nil || !alwaysReturns(instructions, tcxNext)
}

const tcxNext = -1 // the next program runs

// alwaysReturns reports whether a program can only return this value. It follows every
// path through the main function and whether R0 has the value there. It knows no other
// way to return it than a constant, so it may be wrong in one direction only.
func alwaysReturns(instructions asm.Instructions, value int64) bool {
	type place struct {
		at  int
		has bool // R0 has the value
	}
	at := map[asm.RawInstructionOffset]int{} // index by offset
	var offsets []asm.RawInstructionOffset
	for iterator := instructions.Iterate(); iterator.Next(); {
		at[iterator.Offset] = iterator.Index
		offsets = append(offsets, iterator.Offset)
	}
	seen := map[place]bool{}
	next := []place{{0, false}}
	for len(next) > 0 {
		here := next[len(next)-1]
		next = next[:len(next)-1]
		if here.at >= len(instructions) {
			return false
		}
		if seen[here] {
			continue
		}
		seen[here] = true
		instruction := &instructions[here.at]
		op := instruction.OpCode
		jump, known := at[offsets[here.at]+1+asm.RawInstructionOffset(instruction.Offset)]
		switch {
		case !op.Class().IsJump():
			if has, writes := setsR0(instruction, value); writes {
				here.has = has
			}
			next = append(next, place{here.at + 1, here.has})
		case op.JumpOp() == asm.Exit:
			if !here.has {
				return false
			}
		case op.JumpOp() == asm.Call:
			if instruction.IsBuiltinCall() && instruction.Constant == int64(asm.FnTailCall) {
				return false // it returns what the other program returns
			}
			next = append(next, place{here.at + 1, false})
		case op.JumpOp() > asm.JSLE || !known || op.Class() == asm.Jump32Class && op.JumpOp() == asm.Ja:
			return false // a jump that this doesn't follow
		case op.JumpOp() == asm.Ja:
			next = append(next, place{jump, here.has})
		default:
			next = append(next, place{here.at + 1, here.has}, place{jump, here.has})
		}
	}
	return true
}

// setsR0 reports whether an instruction writes R0, and whether the result is the value.
func setsR0(instruction *asm.Instruction, value int64) (has, writes bool) {
	op := instruction.OpCode
	switch {
	case op.Class().IsALU():
		if instruction.Dst != asm.R0 {
			return false, false
		}
		is32 := op.Class() == asm.ALUClass
		moves := op.ALUOp() == asm.Mov && op.Source() == asm.ImmSource
		return moves && (instruction.Constant == value || is32 && uint32(instruction.Constant) == uint32(value)), true
	case op.Class().IsLoad():
		return false, instruction.Dst == asm.R0 || op.Mode() == asm.AbsMode || op.Mode() == asm.IndMode
	}
	return false, op.Mode() == asm.AtomicMode // it may write R0
}
